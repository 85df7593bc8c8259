# SPDX-License-Identifier: MIT
#
# A recipe for Conan 2: `conan create packaging/conan` builds the source tree that the recipe is in. docs/packages.md shows
# its use. vksort::compiler, vksort::host and the tool are not in the package.
import os
import re

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rmdir, save

required_conan_version = ">=2.0"

OPERATIONS = ["sort", "segmented_sort", "merge", "gather"]
KEY_WIDTHS = ["32", "64"]
VALUES = ["none", "some"]


class VksortConan(ConanFile):
    name = "vksort"
    description = "Sorts, merges and segmented sorts of GPU buffers with Vulkan 1.2 compute"
    license = "MIT"
    topics = ("vulkan", "gpu", "sorting", "radix-sort")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    # operations, key_widths and values are lists separated by commas: those that have kernels.
    options = {
        "shared": [True, False],
        "fPIC": [True, False],
        "operations": ["ANY"],
        "key_widths": ["ANY"],
        "values": ["ANY"],
        "compress": [True, False],
    }
    default_options = {
        "shared": False,
        "fPIC": True,
        "operations": ",".join(OPERATIONS),
        "key_widths": ",".join(KEY_WIDTHS),
        "values": ",".join(VALUES),
        "compress": False,
    }
    implements = ["auto_shared_fpic"]

    def _source_root(self):
        return os.path.join(self.recipe_folder, "..", "..")

    def set_version(self):
        header = load(self, os.path.join(self._source_root(), "include", "vksort", "vksort.h"))
        self.version = ".".join(re.findall(r"#define VKSORT_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)\n", header))

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE", "README.md", "CHANGELOG.md", "include/*", "src/*", "shaders/*", "cmake/*",
                        "docs/*", "examples/*"):
            copy(self, pattern, self._source_root(), self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def requirements(self):
        self.requires("vulkan-headers/1.3.268.0", transitive_headers=True)
        if self.options.compress:
            self.requires("zlib/[>=1.2.11 <2]")

    def build_requirements(self):
        self.tool_requires("glslang/1.3.268.0")
        self.tool_requires("spirv-tools/1.3.268.0")

    def _list(self, option, known):
        words = str(self.options.get_safe(option)).split(",")
        for word in words:
            if word not in known:
                raise ConanInvalidConfiguration(f"{option} has the unknown word '{word}'; there are {', '.join(known)}")
        return ";".join(words)

    def validate(self):
        self._list("operations", OPERATIONS)
        self._list("key_widths", KEY_WIDTHS)
        self._list("values", VALUES)

    def generate(self):
        toolchain = CMakeToolchain(self)
        for part in ("HOST", "COMPILER", "TOOLS", "BENCH", "TESTS", "EXAMPLES"):
            toolchain.cache_variables[f"VKSORT_BUILD_{part}"] = "OFF"
        toolchain.cache_variables["VKSORT_VALIDATE_SPIRV"] = "OFF"
        toolchain.cache_variables["VKSORT_OPERATIONS"] = self._list("operations", OPERATIONS)
        toolchain.cache_variables["VKSORT_KEY_WIDTHS"] = self._list("key_widths", KEY_WIDTHS)
        toolchain.cache_variables["VKSORT_VALUES"] = self._list("values", VALUES)
        toolchain.cache_variables["VKSORT_COMPRESS_KERNELS"] = bool(self.options.compress)
        toolchain.generate()
        deps = CMakeDeps(self)
        # The names by which cmake/VulkanHeaders.cmake finds the headers.
        deps.set_property("vulkan-headers", "cmake_file_name", "VulkanHeaders")
        deps.set_property("vulkan-headers", "cmake_target_name", "Vulkan::Headers")
        deps.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        cmake = CMake(self)
        cmake.install()
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        # Conan's own files replace vksortConfig.cmake, except for vksort_add_comparator.
        save(self, os.path.join(self.package_folder, self._module),
             "include(${CMAKE_CURRENT_LIST_DIR}/AddComparator.cmake)\n"
             "get_filename_component(vksort_shader_dir ${CMAKE_CURRENT_LIST_DIR}/../../../share/vksort/shaders ABSOLUTE)\n"
             "set_property(GLOBAL PROPERTY VKSORT_SHADER_DIR ${vksort_shader_dir})\n")
        for folder in ("lib/pkgconfig", "share/doc", "share/licenses"):
            rmdir(self, os.path.join(self.package_folder, folder))

    _module = "lib/cmake/vksort/vksort-comparators.cmake"

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "vksort")
        self.cpp_info.set_property("cmake_target_name", "vksort::vksort")
        self.cpp_info.set_property("cmake_build_modules", [self._module])
        self.cpp_info.set_property("pkg_config_name", "vksort")
        self.cpp_info.libs = ["vksort"]
        if self.options.shared:
            self.cpp_info.defines = ["VKSORT_SHARED"]
        if self.settings.os in ("Linux", "FreeBSD"):
            self.cpp_info.system_libs = ["m", "pthread"]
