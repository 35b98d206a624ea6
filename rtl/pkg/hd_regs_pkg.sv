// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_regs_pkg: offsets and numbers of the register map.
//
// Made from rtl/service/regs/map.csv by `python3 rtl/hdgen rtl`: do not edit.
package hd_regs_pkg;

  localparam int NumConsts = 9;  // words 0 to NumConsts - 1
  localparam int StatusOffset = 'h40;
  localparam int GraphOffset = 'h44;
  localparam int ConfigBase = 'h80;  // one word each
  localparam int CounterBase = 'h100;  // two words each: low, high
  localparam int ConfigRecBase = 0;
  localparam int ConfigRecCount = 1;
  localparam int ConfigDevBase = 2;
  localparam int ConfigDevCount = 3;
  localparam int ConfigSusBase = 4;
  localparam int ConfigSusCount = 5;
  localparam int ConfigListBase = 6;
  localparam int ConfigPolicy = 7;
  localparam int ConfigSpillBase = 8;
  localparam int ConfigSpillCount = 9;
  localparam int ConfigThrottle = 10;
  localparam int ConfigThrottleEpoch = 11;
  localparam int ConfigThrottleBand = 12;
  localparam int StatusRefused = 0;
  localparam int StatusZeroDim = 1;
  localparam int StatusOverLimit = 2;
  localparam int StatusNeverFits = 3;
  localparam int StatusUnknownHwq = 4;
  localparam int StatusDoneEmpty = 5;
  localparam int StatusDoneEarly = 6;
  localparam int StatusEmptySlot = 7;
  localparam int StatusDevRefused = 8;
  localparam int StatusSaveRefused = 9;
  localparam int StatusMemList = 10;
  localparam int StatusMemRecord = 11;
  localparam int StatusMemPool = 12;
  localparam int StatusMemSuspend = 13;
  localparam int StatusMemSpill = 14;
  localparam int StatusGraphMemory = 15;
  localparam int StatusGraphStarts = 16;
  localparam int StatusGraphLevel = 17;
  localparam int StatusGraphEdge = 18;
  localparam int StatusGraphCount = 19;
  localparam int StatusGraphStuck = 20;
  localparam int StatusGraphDesc = 21;
  localparam int StatusConfigLocked = 22;
  localparam int CountCycles = 0;
  localparam int CountAccepted = 1;
  localparam int CountRefused = 2;
  localparam int CountZeroDim = 3;
  localparam int CountOverLimit = 4;
  localparam int CountNeverFits = 5;
  localparam int CountUnknownHwq = 6;
  localparam int CountKernelsIn = 7;
  localparam int CountKernelsDone = 8;
  localparam int CountCtasOut = 9;
  localparam int CountCtasDone = 10;
  localparam int CountDoneEmpty = 11;
  localparam int CountDoneEarly = 12;
  localparam int CountBlocked = 13;
  localparam int CountDevKernels = 14;
  localparam int CountDevGroups = 15;
  localparam int CountDevKept = 16;
  localparam int CountDevUnmatched = 17;
  localparam int CountDevSaves = 18;
  localparam int CountDevRefused = 19;
  localparam int CountDevBad = 20;
  localparam int CountSearches = 21;
  localparam int CountSearchCycles = 22;
  localparam int CountFetches = 23;
  localparam int CountFetchWait = 24;
  localparam int CountSlotWait = 25;
  localparam int CountRecordsDone = 26;
  localparam int CountSpills = 27;
  localparam int CountRefills = 28;
  localparam int CountSuspends = 29;
  localparam int CountResumes = 30;
  localparam int CountOldestWait = 31;
  localparam int CountGroupSpills = 32;
  localparam int CountGroupRefills = 33;
  localparam int CountInversions = 34;
  localparam int CountGraphs = 35;
  localparam int CountGraphPub = 36;
  localparam int CountGraphEarly = 37;
  localparam int CountGraphBig = 38;

endpackage
