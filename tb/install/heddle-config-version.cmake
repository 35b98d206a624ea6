# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
# Compatible with requests of the same major version that are not newer.
set(PACKAGE_VERSION "@VERSION@")
string(REGEX MATCH "^[0-9]+" _heddle_major "${PACKAGE_VERSION}")
if(PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION OR NOT PACKAGE_FIND_VERSION_MAJOR STREQUAL _heddle_major)
  set(PACKAGE_VERSION_COMPATIBLE FALSE)
else()
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
  if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)
    set(PACKAGE_VERSION_EXACT TRUE)
  endif()
endif()
unset(_heddle_major)
