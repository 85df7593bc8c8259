// SPDX-License-Identifier: MIT
#include "report.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "report_charts.h"
#include "report_facts.h"
#include "report_standing.h"

namespace vksort::bench {

using namespace report;

namespace {

using nlohmann::json;

constexpr const char* kStyleSheet = R"(
:root{color-scheme:light dark}
*{box-sizing:border-box}
body{margin:0 auto;padding:1rem;max-width:76rem;background:var(--paper);color:var(--ink);font:1rem/1.45 system-ui,sans-serif}
h1,h2,h3{line-height:1.2;overflow-wrap:anywhere}
h1{font-size:1.6rem;margin:.5rem 0}
h2{font-size:1.3rem;margin:2rem 0 .5rem;padding-top:1rem;border-top:1px solid var(--rule)}
h3{font-size:1.05rem;margin:0}
p{margin:.5rem 0}
a{color:var(--win)}
.note{color:var(--dim);font-size:.9rem;overflow-wrap:anywhere}
dl{display:grid;grid-template-columns:fit-content(40%) 1fr;gap:.15rem 1rem;margin:.5rem 0;font-size:.95rem}
dt{color:var(--dim);overflow-wrap:anywhere}
dd{margin:0;overflow-wrap:anywhere}
nav ul{padding:0;list-style:none;display:flex;flex-wrap:wrap;gap:.3rem 1.2rem}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,28rem),1fr));gap:2rem;align-items:start}
figure{margin:0;min-width:0}
figure:only-child{max-width:44rem}
.scroll{overflow-x:auto;max-width:100%}
table{border-collapse:collapse;font-size:.85rem;margin:.3rem 0;font-variant-numeric:tabular-nums}
th,td{padding:.2rem .6rem;text-align:left;white-space:nowrap;border-bottom:1px solid var(--rule)}
thead th{color:var(--dim);font-weight:600;vertical-align:bottom}
tbody th{font-weight:400;position:sticky;left:0;background:var(--paper)}
.long tbody th{position:static}
.n{text-align:right}
.t{text-align:left}
tbody .w{white-space:normal;min-width:min(15rem,34vw)}
.win{color:var(--win)}
.loss{color:var(--loss);font-weight:600}
summary{cursor:pointer;color:var(--dim);font-size:.9rem;padding:.3rem 0}
)";

std::string facts_html(const Facts& facts) {
    std::string html = "<dl>\n";
    for (const auto& [name, value] : facts) {
        html += fmt::format("<dt>{}</dt><dd>{}</dd>\n", escape(name), escape(value));
    }
    return facts.empty() ? "" : html + "</dl>\n";
}

std::string header_html(const json& about) {
    const Facts method = method_facts(about);
    const Facts more = other_device_facts(about);
    std::string html = "<h1>vksort benchmark</h1>\n" + facts_html(main_facts(about)) + "<h2 id=\"method\">Method</h2>\n";
    html += method.empty() ? "<p>The results do not say how they were measured.</p>\n" : facts_html(method);
    if (!more.empty()) {
        html += "<details><summary>More of the device</summary>\n" + facts_html(more) + "</details>\n";
    }
    return html;
}

std::string failures_html(const Results& results) {
    const Table table = failures_table(results);
    return table.rows.empty() ? "" : folded_table_html(table, "Without a valid time");
}

std::string everything_html(const Results& results) {
    Table table = {{"scenario", "contender", "status", "message"}, {}, 4};
    for (const char* clock : {"GPU", "wall"}) {
        for (const char* which : {"median", "p5", "p95", "least", "greatest"}) {
            table.heads.push_back(fmt::format("{} {}", clock, which));
        }
    }
    for (const char* head : {"runs", "items/s", "model bytes", "of roofline", "scratch", "passes"}) {
        table.heads.push_back(head);
    }
    for (const Result& result : results.results) {
        std::vector<Cell> row = {{scenario_text(result.scenario)}, {result.contender}, {result.status}, {result.message}};
        for (const std::optional<Times>& times : {result.gpu, result.wall}) {
            for (double Times::*which : {&Times::median, &Times::p5, &Times::p95, &Times::least, &Times::greatest}) {
                row.push_back({times ? time_text((*times).*which) : "-"});
            }
        }
        row.push_back({result.runs ? fmt::format("{:.0f}", *result.runs) : "-"});
        row.push_back({result.items_per_second ? rate_text(*result.items_per_second) : "-"});
        row.push_back({result.model_bytes ? bytes_text(*result.model_bytes) : "-"});
        row.push_back({result.roofline_share ? share_text(*result.roofline_share) : "-"});
        row.push_back({result.scratch_bytes ? bytes_text(*result.scratch_bytes) : "-"});
        std::string passes;
        for (const PassTime& pass : result.passes) {
            passes += fmt::format("{}{} {}", passes.empty() ? "" : ", ", pass.name, time_text(pass.us));
        }
        row.push_back({passes.empty() ? "-" : passes});
        table.rows.push_back(std::move(row));
    }
    return "<div class=\"long\">\n" + folded_table_html(table, "Every figure") + "</div>\n";
}

} // namespace

std::string html_report(const json& whole) {
    const Results results = read_results(whole);
    const Contenders contenders(results.results);

    std::vector<std::pair<std::string, std::string>> sections; // title and HTML
    const std::string standing = standing_html(results, contenders);
    const std::string failures = failures_html(results);
    if (!standing.empty()) {
        sections.emplace_back("Faster and slower", standing);
    }
    if (!failures.empty()) {
        sections.emplace_back("Wrong or not measured", "<div class=\"long\">\n" + failures + "</div>\n");
    }
    for (const Section& section : chart_sections(results, contenders)) {
        sections.emplace_back(section.title, section.html);
    }
    if (!results.results.empty()) {
        sections.emplace_back("All results", everything_html(results));
    }

    std::string contents;
    std::string body;
    for (size_t i = 0; i < sections.size(); ++i) {
        const std::string title = escape(sections[i].first);
        contents += fmt::format("<li><a href=\"#part{}\">{}</a></li>\n", i, title);
        body += fmt::format("<section>\n<h2 id=\"part{}\">{}</h2>\n{}</section>\n", i, title, sections[i].second);
    }
    return fmt::format("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
                       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
                       "<title>vksort on {}</title>\n<style>{}{}</style>\n</head>\n<body>\n{}{}{}{}{}</body>\n</html>\n",
                       escape(device_text(results.about)), kStyleSheet, chart_css(), chart_hatchings(),
                       "<header>\n" + header_html(results.about) + "</header>\n",
                       contents.empty() ? "" : "<nav><ul>\n" + contents + "</ul></nav>\n", body,
                       results.results.empty() ? "<p>There are no results.</p>\n" : "");
}

} // namespace vksort::bench
