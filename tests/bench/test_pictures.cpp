// SPDX-License-Identifier: MIT
//
// Charts as files of their own: what is drawn of which results, and how the program writes them.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "markup.h"
#include "program_test.h"
#include "report_data.h"
#include "report_pictures.h"
#include "sample.h"
#include "svg_picture.h"

namespace vksort::bench {
namespace {

using nlohmann::json;

// Results for every picture; the times say who is faster.
json every_picture() {
    json file = empty_file();
    const auto add = [&](json where, const char* name, double microseconds) {
        file["results"].push_back(result(where, name, microseconds));
    };
    for (const uint64_t count : {1u << 16, 1u << 20, 1u << 24}) {
        for (const char* key : {"u32", "u64"}) {
            for (const int value_bytes : {0, 4}) {
                json where = scenario(count);
                where["key"] = key;
                where["value_bytes"] = value_bytes;
                double slowdown = 1;
                for (const char* name : {"vksort auto", "CUB radix sort", "vksort onesweep", "CUB radix sort, 64-bit n",
                                         "vksort msd", "vksort merge", "CUB merge sort", "copy", "std::sort"}) {
                    add(where, name, slowdown * static_cast<double>(count) / 1000);
                    slowdown *= 1.3;
                }
            }
        }
        json merge = scenario(count);
        merge["operation"] = "merge";
        add(merge, "vksort merge", 30);
        add(merge, "CUB merge", 20);
    }
    add(scenario(1 << 16), "vksort one_workgroup", 1); // the fastest, where it is at all
    for (const char* distribution : {"sorted", "zipf"}) {
        add(scenario(1 << 24, distribution), "vksort auto", 5000);
        add(scenario(1 << 24, distribution), "vksort locality", 4000);
        add(scenario(1 << 24, distribution), "CUB radix sort", 6000);
        add(scenario(1 << 24, distribution), "CUB merge sort", 60000);
    }
    for (const int value_bytes : {0, 4}) {
        for (const int mean : {10, 100}) {
            json where = scenario(1 << 24);
            where["operation"] = "segmented_sort";
            where["value_bytes"] = value_bytes;
            where["mean_segment"] = mean;
            add(where, "vksort segmented", 3000);
            add(where, "vksort size_classes", 1000);
            add(where, "CUB segmented sort", 2000);
        }
    }
    return file;
}

const std::vector<std::string> kNames = {"sort-u32.svg",     "sort-u32-4.svg",     "sort-u64.svg", "distributions-u32.svg",
                                         "segments-u32.svg", "segments-u32-4.svg", "merge-u32.svg"};

std::vector<std::string> names_of(const std::vector<PictureFile>& pictures) {
    std::vector<std::string> names;
    for (const PictureFile& picture : pictures) {
        names.push_back(picture.name);
    }
    return names;
}

std::string picture_of(const json& file, const std::string& name) {
    for (const PictureFile& picture : report_pictures(file)) {
        if (picture.name == name) {
            return picture.svg;
        }
    }
    return "";
}

// Which contenders its legend names, or anything else in it.
std::set<std::string> contenders_in(const std::string& svg) {
    std::set<std::string> found;
    for (const std::string& text : texts_of(svg, "text")) {
        if (text == "copy" || text.starts_with("vksort") || text.starts_with("CUB") || text.starts_with("std::")) {
            found.insert(text);
        }
    }
    return found;
}

void expect_well_formed(const std::string& svg) { EXPECT_EQ(markup_error("<!DOCTYPE html>\n" + svg), ""); }

TEST(BenchPictures, AllOfThem) {
    const std::vector<PictureFile> pictures = report_pictures(every_picture());
    EXPECT_EQ(names_of(pictures), kNames);
    for (const PictureFile& picture : pictures) {
        SCOPED_TRACE(picture.name);
        expect_well_formed(picture.svg);
        EXPECT_TRUE(picture.svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\""));
        EXPECT_TRUE(has(picture.svg, "@media (prefers-color-scheme:dark)"));
        EXPECT_TRUE(has(picture.svg, "<rect class=\"sheet\"")); // paper of its own
        EXPECT_TRUE(has(picture.svg, ">Sample device, made up for a test</text>"));
        EXPECT_TRUE(has(picture.svg, "u32 keys") || has(picture.svg, "u64 keys"));
    }
}

TEST(BenchPictures, NeedNothingElse) {
    for (const PictureFile& picture : report_pictures(every_picture())) {
        SCOPED_TRACE(picture.name);
        for (const char* outside : {"<script", "<foreignObject", "<image", "<use", "<a ", "href", "src=", "@import",
                                    "@font-face", "<!DOCTYPE", "<?", "onload"}) {
            EXPECT_FALSE(has(picture.svg, outside)) << outside;
        }
        EXPECT_EQ(count_of(picture.svg, "http"), 1u); // the name space
        EXPECT_EQ(count_of(picture.svg, "url("), count_of(picture.svg, "url(#h"));
    }
}

// Every variable is there, since no page gives any.
TEST(BenchPictures, ColoursAreInside) {
    for (const PictureFile& picture : report_pictures(every_picture())) {
        SCOPED_TRACE(picture.name);
        for (size_t at = picture.svg.find("var("); at != std::string::npos; at = picture.svg.find("var(", at + 1)) {
            const std::string name = picture.svg.substr(at + 4, picture.svg.find(')', at) - at - 4);
            EXPECT_TRUE(has(picture.svg, "{" + name + ":") || has(picture.svg, ";" + name + ":")) << name;
        }
    }
}

TEST(BenchPictures, SixLinesAtMostAndAllOfCub) {
    const std::string svg = picture_of(every_picture(), "sort-u32.svg");
    EXPECT_EQ(contenders_in(svg), (std::set<std::string>{"vksort auto", "vksort onesweep", "vksort msd", "CUB radix sort",
                                                         "CUB radix sort, 64-bit n", "CUB merge sort"}));
    EXPECT_EQ(count_of(svg, "<path class=\"line\" d=\"M0 6H34\"/>"), 6u); // the legend's
    EXPECT_TRUE(has(svg, ">2¹⁶ to 2²⁴ u32 keys, uniform</text>"));
}

TEST(BenchPictures, ItsAlgorithmsWhereThereIsNoAuto) {
    EXPECT_EQ(contenders_in(picture_of(
                  with({result(scenario(1 << 20), "vksort onesweep", 50), result(scenario(1 << 24), "vksort onesweep", 500),
                        result(scenario(1 << 20), "CUB radix sort", 50)}),
                  "sort-u32.svg")),
              (std::set<std::string>{"vksort onesweep", "CUB radix sort"}));
}

TEST(BenchPictures, BarsLeaveOutWhatIsNeverTheBestOfCub) {
    json file = every_picture();
    EXPECT_EQ(contenders_in(picture_of(file, "distributions-u32.svg")),
              (std::set<std::string>{"vksort auto", "CUB radix sort"}));
    file["results"].push_back(result(scenario(1 << 24, "few"), "CUB merge sort", 1)); // a loss
    EXPECT_EQ(contenders_in(picture_of(file, "distributions-u32.svg")),
              (std::set<std::string>{"vksort auto", "CUB radix sort", "CUB merge sort"}));
}

TEST(BenchPictures, SegmentsAreThoseOfMsd) {
    const std::string svg = picture_of(every_picture(), "segments-u32-4.svg");
    EXPECT_EQ(contenders_in(svg), (std::set<std::string>{"vksort size_classes", "CUB segmented sort"}));
    EXPECT_TRUE(has(svg, ">2²⁴ u32 keys with 4-byte values, uniform</text>"));
}

// The same look everywhere, and one colour for each in a picture, though CUB comes after many of vksort's.
TEST(BenchPictures, ColoursDoNotRepeatInOne) {
    std::map<std::string, std::string> looks;
    for (const PictureFile& picture : report_pictures(every_picture())) {
        SCOPED_TRACE(picture.name);
        std::set<std::string> colours;
        const std::set<std::string> names = contenders_in(picture.svg);
        for (const std::string& name : names) {
            const size_t text = picture.svg.find(">" + name + "</text>");
            const size_t look = picture.svg.rfind("<g class=\"", text) + 10;
            const std::string classes = picture.svg.substr(look, picture.svg.find('"', look) - look);
            EXPECT_EQ(looks.emplace(name, classes).first->second, classes) << name;
            colours.insert(classes.substr(0, classes.find(' ')));
        }
        EXPECT_EQ(colours.size(), names.size());
    }
}

TEST(BenchPictures, LeavesOutWhatHasNoData) {
    EXPECT_TRUE(report_pictures(empty_file()).empty());
    EXPECT_TRUE(report_pictures(with({result(scenario(1 << 20), "vksort auto", 50)})).empty());
    EXPECT_EQ(names_of(report_pictures(
                  with({result(scenario(1 << 20), "vksort auto", 50), result(scenario(1 << 24), "vksort auto", 500)}))),
              std::vector<std::string>{"sort-u32.svg"});
    // Another order is another chart, and so is a part of the bits.
    json file = every_picture();
    for (json& one : file["results"]) {
        one["scenario"]["end_bit"] = 16;
    }
    EXPECT_TRUE(report_pictures(file).empty());
    file = every_picture();
    for (json& one : file["results"]) {
        one["scenario"]["descending"] = true;
    }
    EXPECT_TRUE(report_pictures(file).empty());
    file["schema"] = 2;
    EXPECT_THROW(report_pictures(file), report::SchemaError);
}

TEST(BenchPictures, HostileText) {
    const std::string hostile = "<script>alert(\"1\")</script>'&\x1B\xFF\"><b onload=x> " + std::string(300, 'm');
    json file = every_picture();
    file["device"]["name"] = hostile;
    for (json& one : file["results"]) {
        one["contender"] = one["contender"].get<std::string>() + hostile;
        one["scenario"]["distribution"] = one["scenario"]["distribution"].get<std::string>() + hostile;
    }
    const std::vector<PictureFile> pictures = report_pictures(file);
    EXPECT_FALSE(pictures.empty());
    for (const PictureFile& picture : pictures) {
        expect_well_formed(picture.svg);
        EXPECT_FALSE(has(picture.svg, "<script"));
        EXPECT_FALSE(has(picture.svg, "<b "));
    }
}

TEST(BenchPictures, LongTextIsWrappedOrCut) {
    report::LineChart chart;
    chart.y_text = [](double) { return std::string("y"); };
    chart.lines = {{{"a", 0}, {{1, 1, 1, 1, ""}, {2, 2, 2, 2, ""}}}};
    const report::Drawing drawing = report::line_drawing(chart);
    std::string words;
    for (int i = 0; i < 40; ++i) {
        words += "µword ";
    }
    const std::string endless(500, 'x');
    const std::string svg = report::line_picture({"title", {words, endless}, {{endless, 0}, {"b", 1}, {"c", 2}}}, drawing);
    expect_well_formed(svg);
    EXPECT_FALSE(has(svg, "\uFFFD")); // no letter was cut in two
    for (const std::string& text : texts_of(svg, "text")) {
        EXPECT_LE(text.size(), 90u) << text;
    }
    EXPECT_GE(count_of(svg, "µword"), 40u);
    EXPECT_EQ(report::line_picture({"title", {}, {}}, {}), "");
}

class BenchPictureFiles : public ProgramTest {
protected:
    BenchPictureFiles() : ProgramTest(VKSORT_BENCH_PATH) {}

    void SetUp() override {
        ProgramTest::SetUp();
        std::ofstream(path("r.json")) << every_picture();
    }
    std::vector<std::string> files_in(const std::string& name) const {
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(path(name))) {
            names.push_back(entry.path().filename().string());
        }
        std::sort(names.begin(), names.end());
        return names;
    }
};

TEST_F(BenchPictureFiles, AreWrittenBesideThePageOrAlone) {
    ASSERT_EQ(run({"report", path("r.json"), "--pictures", path("new/folder")}), 0) << text("err");
    std::vector<std::string> names = kNames;
    std::sort(names.begin(), names.end());
    EXPECT_EQ(files_in("new/folder"), names);
    for (const PictureFile& picture : report_pictures(every_picture())) {
        EXPECT_EQ(text("new/folder/" + picture.name), picture.svg);
    }
    EXPECT_FALSE(std::filesystem::exists(path("r.html")));
    ASSERT_EQ(run({"report", path("r.json"), path("r.html"), "--pictures", path("new/folder")}), 0) << text("err");
    EXPECT_EQ(files_in("new/folder"), names); // over the old ones
    EXPECT_TRUE(text("r.html").starts_with("<!DOCTYPE html>"));
}

TEST_F(BenchPictureFiles, RefusesWhatIsNoDirectory) {
    for (const std::string& taken : {path("r.json"), path("r.json") + "/below"}) {
        EXPECT_EQ(run({"report", path("r.json"), "--pictures", taken}), 2);
        EXPECT_EQ(text("err"), "vksort-bench: " + taken + " cannot be written: it is no directory, and cannot become one\n");
    }
}

TEST_F(BenchPictureFiles, LeavesNoPartBehind) {
    std::filesystem::create_directories(path("p/sort-u32-4.svg/in the way"));
    EXPECT_EQ(run({"report", path("r.json"), "--pictures", path("p")}), 2);
    EXPECT_EQ(text("err"),
              "vksort-bench: cannot write '" + path("p/sort-u32-4.svg") + "': it is a folder; give the name of a file\n");
    EXPECT_EQ(files_in("p"), (std::vector<std::string>{"sort-u32-4.svg"})); // none of the others either
}

TEST_F(BenchPictureFiles, NothingToWrite) {
    EXPECT_EQ(run({"report", path("r.json")}), 2);
    EXPECT_EQ(text("err"), "vksort-bench: a report needs a file to write, --markdown or --pictures\n");
    std::ofstream(path("none.json")) << empty_file();
    EXPECT_EQ(run({"report", path("none.json"), "--pictures", path("p")}), 2);
    EXPECT_EQ(text("err"), "vksort-bench: " + path("none.json") + " has no results that a picture is made of\n");
    EXPECT_FALSE(std::filesystem::exists(path("p")));
}

} // namespace
} // namespace vksort::bench
