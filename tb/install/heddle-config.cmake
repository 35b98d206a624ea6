# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
# find_package(heddle): the targets heddle::heddle (shared) and heddle::static, and the folders of RTL and imports.
get_filename_component(_heddle_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(heddle_RTL_DIR "${_heddle_prefix}/share/heddle/rtl")
set(heddle_DPI_DIR "${_heddle_prefix}/share/heddle/dpi")
if(NOT TARGET heddle::heddle)
  add_library(heddle::heddle SHARED IMPORTED)
  set_target_properties(heddle::heddle PROPERTIES
    IMPORTED_LOCATION "${_heddle_prefix}/lib/libheddle.so"
    INTERFACE_INCLUDE_DIRECTORIES "${_heddle_prefix}/include")
  add_library(heddle::static STATIC IMPORTED)
  set_target_properties(heddle::static PROPERTIES
    IMPORTED_LOCATION "${_heddle_prefix}/lib/libheddle.a"
    INTERFACE_INCLUDE_DIRECTORIES "${_heddle_prefix}/include")
endif()
unset(_heddle_prefix)
