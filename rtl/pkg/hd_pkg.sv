// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_pkg: parameters, what follows from them, and the payloads of the streams.
//
// Made from the tables in rtl/pkg by `python3 rtl/hdgen rtl`: do not edit. The parameters are
// those of k20c; the macro HD_NUM_SMX sets NumSmx, and so for each. A file of rtl/configs sets
// those of a configuration.
package hd_pkg;

  // Bits for n different values: at least 1.
  function automatic int clog2(input int n);
    clog2 = n > 2 ? $clog2(n) : 1;
  endfunction

`ifdef HD_NUM_SMX
  localparam int NumSmx = `HD_NUM_SMX;
`else
  localparam int NumSmx = 13;             // streaming multiprocessors
`endif
`ifdef HD_CTAS_PER_SMX
  localparam int CtasPerSmx = `HD_CTAS_PER_SMX;
`else
  localparam int CtasPerSmx = 16;         // TB slots of an SMX
`endif
`ifdef HD_THREADS_PER_SMX
  localparam int ThreadsPerSmx = `HD_THREADS_PER_SMX;
`else
  localparam int ThreadsPerSmx = 2048;    // threads of an SMX (a multiple of 32)
`endif
`ifdef HD_REGS_PER_SMX
  localparam int RegsPerSmx = `HD_REGS_PER_SMX;
`else
  localparam int RegsPerSmx = 65536;      // registers of an SMX
`endif
`ifdef HD_SMEM_PER_SMX
  localparam int SmemPerSmx = `HD_SMEM_PER_SMX;
`else
  localparam int SmemPerSmx = 49152;      // bytes of shared memory of an SMX (a multiple of 256)
`endif
`ifdef HD_REG_UNIT
  localparam int RegUnit = `HD_REG_UNIT;
`else
  localparam int RegUnit = 256;           // registers of a warp are allocated in units of this many
`endif
`ifdef HD_SMX_PER_CLUSTER
  localparam int SmxPerCluster = `HD_SMX_PER_CLUSTER;
`else
  // SMXs that share a bank of priority queues (LaPerm: that share an L1); the last cluster may be
  // smaller
  localparam int SmxPerCluster = 1;
`endif
`ifdef HD_NUM_KDE
  localparam int NumKde = `HD_NUM_KDE;
`else
  localparam int NumKde = 32;             // entries of the Kernel Distributor
`endif
`ifdef HD_NUM_HWQ
  localparam int NumHwq = `HD_NUM_HWQ;
`else
  localparam int NumHwq = 32;             // hardware work queues
`endif
`ifdef HD_HWQ_DEPTH
  localparam int HwqDepth = `HD_HWQ_DEPTH;
`else
  // launches that a hardware work queue holds (a power of two)
  localparam int HwqDepth = 4;
`endif
`ifdef HD_DONE_SLACK
  localparam int DoneSlack = `HD_DONE_SLACK;
`else
  localparam int DoneSlack = 4;           // places of an SMX's done FIFO beyond its TB slots
`endif
`ifdef HD_CHOICE_LATENCY
  localparam int ChoiceLatency = `HD_CHOICE_LATENCY;
`else
  // cycles of a choice: 1, or 2: whether a TB fits is known from the cycle before
  localparam int ChoiceLatency = 1;
`endif
`ifdef HD_VISIT
  localparam int Visit = `HD_VISIT;
`else
  localparam int Visit = 0;               // 1: look at one SMX per cycle (LaPerm's literal walk)
`endif
`ifdef HD_NUM_CU
  localparam int NumCu = `HD_NUM_CU;
`else
  localparam int NumCu = 8;               // compute units (CUs) that use channels
`endif
`ifdef HD_WAVES_PER_CU
  localparam int WavesPerCu = `HD_WAVES_PER_CU;
`else
  localparam int WavesPerCu = 40;         // wavefront slots of a CU
`endif
`ifdef HD_WAVE_LANES
  localparam int WaveLanes = `HD_WAVE_LANES;
`else
  localparam int WaveLanes = 64;          // work-items of a wavefront (a power of two)
`endif
`ifdef HD_NUM_CHAN
  localparam int NumChan = `HD_NUM_CHAN;
`else
  localparam int NumChan = 64;            // channels
`endif
`ifdef HD_CHAN_CAP
  localparam int ChanCap = `HD_CHAN_CAP;
`else
  localparam int ChanCap = 15;            // log2 of the largest capacity of a channel in elements
`endif
`ifdef HD_DONE_GRAIN
  localparam int DoneGrain = `HD_DONE_GRAIN;
`else
  localparam int DoneGrain = 64;          // elements that share a done count (a power of two)
`endif
`ifdef HD_CHAN_RUNS
  localparam int ChanRuns = `HD_CHAN_RUNS;
`else
  // operations that wait for the control array or the done counts (4 or more)
  localparam int ChanRuns = 8;
`endif
`ifdef HD_CHAN_LINES
  localparam int ChanLines = `HD_CHAN_LINES;
`else
  localparam int ChanLines = 4;           // lines of control arrays that are being filled or sent
`endif
`ifdef HD_CHAN_FLIGHT
  localparam int ChanFlight = `HD_CHAN_FLIGHT;
`else
  localparam int ChanFlight = 16;         // bursts of control arrays without an answer
`endif
`ifdef HD_DONE_ROWS
  localparam int DoneRows = `HD_DONE_ROWS;
`else
  localparam int DoneRows = 16;           // beats of done counts on chip
`endif
`ifdef HD_CHAN_PAPER
  localparam int ChanPaper = `HD_CHAN_PAPER;
`else
  // bits: literal rules of channels, which may deadlock: 1 contiguity, 2 yields without n, 4 a
  // producer that waits is active
  localparam int ChanPaper = 0;
`endif
`ifdef HD_PC_W
  localparam int PcW = `HD_PC_W;
`else
  localparam int PcW = 40;                // entry PC
`endif
`ifdef HD_PARAM_W
  localparam int ParamW = `HD_PARAM_W;
`else
  localparam int ParamW = 40;             // parameter address
`endif
`ifdef HD_GRID_XW
  localparam int GridXW = `HD_GRID_XW;
`else
  localparam int GridXW = 31;             // grid dimension x
`endif
`ifdef HD_GRID_YW
  localparam int GridYW = `HD_GRID_YW;
`else
  localparam int GridYW = 16;             // grid dimension y
`endif
`ifdef HD_GRID_ZW
  localparam int GridZW = `HD_GRID_ZW;
`else
  localparam int GridZW = 16;             // grid dimension z
`endif
`ifdef HD_CTA_XW
  localparam int CtaXW = `HD_CTA_XW;
`else
  localparam int CtaXW = 11;              // TB dimension x
`endif
`ifdef HD_CTA_YW
  localparam int CtaYW = `HD_CTA_YW;
`else
  localparam int CtaYW = 11;              // TB dimension y
`endif
`ifdef HD_CTA_ZW
  localparam int CtaZW = `HD_CTA_ZW;
`else
  localparam int CtaZW = 7;               // TB dimension z
`endif
`ifdef HD_THREADS_W
  localparam int ThreadsW = `HD_THREADS_W;
`else
  localparam int ThreadsW = 11;           // linear TB size
`endif
`ifdef HD_REGS_W
  localparam int RegsW = `HD_REGS_W;
`else
  localparam int RegsW = 8;               // registers per thread
`endif
`ifdef HD_SMEM_W
  localparam int SmemW = `HD_SMEM_W;
`else
  localparam int SmemW = 10;              // shared memory of a TB in units of 256 bytes
`endif
`ifdef HD_HWQ_ID_W
  localparam int HwqIdW = `HD_HWQ_ID_W;
`else
  // HWQ named by a launch (wider than needed: an unknown HWQ can be named)
  localparam int HwqIdW = 8;
`endif
`ifdef HD_CTAS_W
  localparam int CtasW = `HD_CTAS_W;
`else
  localparam int CtasW = 32;              // linear TB count and linear TB id
`endif
`ifdef HD_TAG_W
  localparam int TagW = `HD_TAG_W;
`else
  localparam int TagW = 16;               // the client's name for a launch
`endif
`ifdef HD_EXE_W
  localparam int ExeW = `HD_EXE_W;
`else
  localparam int ExeW = 16;               // ExeBL
`endif
`ifdef HD_ADDR_W
  localparam int AddrW = `HD_ADDR_W;
`else
  localparam int AddrW = 40;              // byte address of the memory port
`endif
`ifdef HD_AGT_SIZE
  localparam int AgtSize = `HD_AGT_SIZE;
`else
  localparam int AgtSize = 1024;          // entries of the Aggregated Group Table (a power of two)
`endif
`ifdef HD_AGT_HASH
  localparam int AgtHash = `HD_AGT_HASH;
`else
  // 2: free list; 0: hw_tid modulo AgtSize (paper); 1: hw_tid folded with the SMX
  localparam int AgtHash = 2;
`endif
`ifdef HD_OVF_SLOTS
  localparam int OvfSlots = `HD_OVF_SLOTS;
`else
  // AGEIs for overflowed groups that were fetched (default: resident TBs + 1)
  localparam int OvfSlots = 209;
`endif
`ifdef HD_KDE_SEARCH_LANES
  localparam int KdeSearchLanes = `HD_KDE_SEARCH_LANES;
`else
  // KD entries that the eligibility search looks at in a cycle
  localparam int KdeSearchLanes = 32;
`endif
`ifdef HD_PREFETCH_DEPTH
  localparam int PrefetchDepth = `HD_PREFETCH_DEPTH;
`else
  // overflowed groups fetched ahead of need; 0: when the SMX scheduler waits for one
  localparam int PrefetchDepth = 56;
`endif
`ifdef HD_LIST_POS_W
  localparam int ListPosW = `HD_LIST_POS_W;
`else
  // a place in a list of overflowed groups; a list has 2^ListPosW
  localparam int ListPosW = 17;
`endif
`ifdef HD_FAIR_EVERY
  localparam int FairEvery = `HD_FAIR_EVERY;
`else
  // 0: off; k: after k TBs or kernels in a row those that they pass get a turn: kernels in the FCFS
  // order, queue 0 against the banks, the classes of the KMU
  localparam int FairEvery = 0;
`endif
`ifdef HD_MAX_LEVEL
  localparam int MaxLevel = `HD_MAX_LEVEL;
`else
  localparam int MaxLevel = 4;            // highest priority level
`endif
`ifdef HD_PQ_DEPTH
  localparam int PqDepth = `HD_PQ_DEPTH;
`else
  localparam int PqDepth = 128;           // entries of a bank of priority queues
`endif
`ifdef HD_SPILL_ROWS
  localparam int SpillRows = `HD_SPILL_ROWS;
`else
  localparam int SpillRows = 2048;        // groups in memory that LaPerm's banks have no place for
`endif
`ifdef HD_SPILL_DEPTH
  localparam int SpillDepth = `HD_SPILL_DEPTH;
`else
  localparam int SpillDepth = 4;          // groups that wait to go there (3 or more)
`endif
`ifdef HD_SPILL_FLIGHT
  localparam int SpillFlight = `HD_SPILL_FLIGHT;
`else
  localparam int SpillFlight = 16;        // groups on their way back
`endif
`ifdef HD_NUM_KIN
  localparam int NumKin = `HD_NUM_KIN;
`else
  localparam int NumKin = 128;            // parent records: kernels with incomplete children
`endif
`ifdef HD_NUM_STREAMS
  localparam int NumStreams = `HD_NUM_STREAMS;
`else
  localparam int NumStreams = 32;         // device streams; 0 is none
`endif
`ifdef HD_POOL_DEPTH
  localparam int PoolDepth = `HD_POOL_DEPTH;
`else
  localparam int PoolDepth = 32;          // device kernels held on chip (2 or more)
`endif
`ifdef HD_POOL_ROWS
  localparam int PoolRows = `HD_POOL_ROWS;
`else
  localparam int PoolRows = 2048;         // device kernels held in memory at most
`endif
`ifdef HD_ANS_DEPTH
  localparam int AnsDepth = `HD_ANS_DEPTH;
`else
  // answers that wait for an SMX (8 or more: one launch per cycle)
  localparam int AnsDepth = 8;
`endif
`ifdef HD_LNA
  localparam int Lna = `HD_LNA;
`else
  // nodes of a graph in the dependency graph buffer (a power of two)
  localparam int Lna = 128;
`endif
`ifdef HD_LEA
  localparam int Lea = `HD_LEA;
`else
  localparam int Lea = 512;               // edges of a graph in it (a power of two)
`endif
`ifdef HD_PUB
  localparam int Pub = `HD_PUB;
`else
  localparam int Pub = 64;                // updates of nodes that are not there yet
`endif
`ifdef HD_CHILD_LANES
  localparam int ChildLanes = `HD_CHILD_LANES;
`else
  localparam int ChildLanes = 4;          // children whose counts go down in a cycle
`endif
`ifdef HD_DGB_FLIGHT
  localparam int DgbFlight = `HD_DGB_FLIGHT;
`else
  localparam int DgbFlight = 32;          // bursts of the graph buffer under way each way
`endif
`ifdef HD_DGB_QUIET
  localparam int DgbQuiet = `HD_DGB_QUIET;
`else
  // cycles without any progress after which a graph is stuck
  localparam int DgbQuiet = 1024;
`endif
`ifdef HD_DGB_PAPER
  localparam int DgbPaper = `HD_DGB_PAPER;
`else
  // 1: the paper's own rules for the head and the full PUB: a graph may deadlock
  localparam int DgbPaper = 0;
`endif
`ifdef HD_EPOCH
  localparam int Epoch = `HD_EPOCH;
`else
  // cycles from one look at the contention to the next at least (throttle); register THROTTLE_EPOCH
  // after reset
  localparam int Epoch = 1024;
`endif
`ifdef HD_DEAD_BAND
  localparam int DeadBand = `HD_DEAD_BAND;
`else
  // contention counts as higher if it is by more than 1/2^DeadBand of the last (0: by anything);
  // register THROTTLE_BAND after reset
  localparam int DeadBand = 2;
`endif
`ifdef HD_RECOVERS
  localparam int Recovers = `HD_RECOVERS;
`else
  // 1: the throttle opens all SMXs when nothing was refused, or no TB waited, for an epoch (0: the
  // paper's rule)
  localparam int Recovers = 1;
`endif
`ifdef HD_EQUAL_HOLDS
  localparam int EqualHolds = `HD_EQUAL_HOLDS;
`else
  // 1: a degree of contention like the last changes nothing (the paper's listing)
  localparam int EqualHolds = 0;
`endif
`ifdef HD_STALL_W
  localparam int StallW = `HD_STALL_W;
`else
  // stall cycles of a warp; at the end those of its TB are halved
  localparam int StallW = 16;
`endif
`ifdef HD_WARP_WAIT
  localparam int WarpWait = `HD_WARP_WAIT;
`else
  // cycles for which a ready warp waits before it goes first (lwf)
  localparam int WarpWait = 1024;
`endif
`ifdef HD_REC_W
  localparam int RecW = `HD_REC_W;
`else
  localparam int RecW = 31;               // record number or AGE index
`endif
`ifdef HD_STREAM_ID_W
  localparam int StreamIdW = `HD_STREAM_ID_W;
`else
  localparam int StreamIdW = 8;           // stream named by a launch (wider than needed)
`endif
`ifdef HD_LANE_W
  localparam int LaneW = `HD_LANE_W;
`else
  localparam int LaneW = 5;               // lane of a warp
`endif
`ifdef HD_LEVEL_W
  localparam int LevelW = `HD_LEVEL_W;
`else
  localparam int LevelW = 5;              // priority level
`endif
`ifdef HD_ARRIVAL_W
  localparam int ArrivalW = `HD_ARRIVAL_W;
`else
  // arrival number of an entry of a priority queue within its level
  localparam int ArrivalW = 20;
`endif
`ifdef HD_GROUP_XW
  localparam int GroupXW = `HD_GROUP_XW;
`else
  localparam int GroupXW = 16;            // aggregated dimension x in an AGE
`endif
`ifdef HD_GROUP_YW
  localparam int GroupYW = `HD_GROUP_YW;
`else
  localparam int GroupYW = 16;            // aggregated dimension y in an AGE
`endif
`ifdef HD_GROUP_ZW
  localparam int GroupZW = `HD_GROUP_ZW;
`else
  localparam int GroupZW = 8;             // aggregated dimension z in an AGE
`endif

  localparam int WarpsPerSmx = ThreadsPerSmx / 32;      // warps of an SMX
  localparam int RegUnitsPerSmx = RegsPerSmx / RegUnit;  // register units of an SMX
  localparam int SmemUnitsPerSmx = SmemPerSmx / 256;    // shared memory units of an SMX
  // a number of warps, or more than an SMX has
  localparam int WarpsW = clog2(WarpsPerSmx + 2);
  localparam int RegUnitsW = clog2(RegUnitsPerSmx + 1);  // a number of register units
  localparam int SmemUnitsW = clog2(SmemUnitsPerSmx + 1);  // a number of shared memory units
  localparam int SmxW = clog2(NumSmx);                  // an SMX
  // banks of priority queues, one for each cluster
  localparam int NumBank = (NumSmx + SmxPerCluster - 1) / SmxPerCluster;
  localparam int BankW = clog2(NumBank);                // one of them
  localparam int SlotW = clog2(CtasPerSmx);             // a TB slot
  localparam int KdeW = clog2(NumKde);                  // an entry of the KD
  localparam int KdeCountW = clog2(NumKde + 1);         // a number of entries
  localparam int PendW = KdeW + 1;                      // a tag row of the KD
  localparam int HwqW = clog2(NumHwq);                  // a hardware work queue
  localparam int HwqCountW = clog2(HwqDepth + 1);       // a number of queued launches
  localparam int HwqPosW = clog2(HwqDepth);             // a position in a hardware work queue
  localparam int DoneDepth = CtasPerSmx + DoneSlack;    // places of an SMX's done FIFO
  localparam int DoneCountW = clog2(DoneDepth + 1);     // a number of done FIFO entries
  localparam int DonePosW = clog2(DoneDepth);           // a place of the done FIFO
  // clients of the memory-port arbiter: ovfq, pool, susp, spill, dats, dgb
  localparam int MemClients = 6;
  localparam int MemIdW = clog2(MemClients);            // a client of the memory port
  localparam int CodeW = 4;                             // enum hd_code
  localparam int ApbAddrW = 12;                         // APB address
  localparam int CounterW = 48;                         // a performance counter
  localparam int Resident = NumSmx * CtasPerSmx;        // TBs resident at most
  localparam int HwtidW = clog2(ThreadsPerSmx);         // hardware thread index within an SMX
  localparam int AgtW = clog2(AgtSize);                 // an entry of the AGT
  // banks of the AGT's RAMs, of at most 256 rows
  localparam int AgtBanks = (AgtSize + 255) / 256;
  localparam int NumAge = AgtSize + OvfSlots;           // AGEs: AGT entries and overflow slots
  // an AGE index (AGEI); from AgtSize on: overflow slots
  localparam int AgeW = clog2(NumAge);
  localparam int OvfW = clog2(OvfSlots);                // an overflow slot
  // TBs handed out or done of one group; modulo
  localparam int ExeHalfW = clog2(Resident + 1);
  // distance of the SMXs' indices under the hash smx
  localparam int SmxStep = AgtSize / NumSmx + (NumSmx > AgtSize ? 1 : 0);
  localparam int SavMax = (Resident + 15) / 16 * 16;    // saved TBs of a kernel at most
  localparam int SavW = clog2(SavMax);                  // a place in a saved list
  localparam int SavCountW = clog2(SavMax + 1);         // a number of saved TBs
  // bytes of a suspension record and its saved list
  localparam int SusStride = 128 + SavMax * 8;
  localparam int KinW = clog2(NumKin);                  // a parent record
  localparam int StreamW = clog2(NumStreams);           // a device stream
  localparam int PoolPosW = clog2(PoolRows);            // a place of the pool's ring in memory
  localparam int PoolCountW = clog2(PoolRows + 1);      // a number of kernels in memory
  localparam int PoolFrontW = clog2(PoolDepth + 1);     // a number of kernels on chip
  localparam int PoolFrontPosW = clog2(PoolDepth);      // a row of the pool's kernels on chip
  // queues of the pool: one for each stream, and for each bank and level
  localparam int PoolQueues = NumStreams + NumBank * MaxLevel;
  localparam int PoolQueueW = clog2(PoolQueues);        // one of them
  // whose turn it may be in the pool: one for each stream, and for each bank
  localparam int PoolTurns = NumStreams + NumBank;
  localparam int PoolTurnW = clog2(PoolTurns);          // one of them
  // a level as the pool compares it: one above MaxLevel counts as MaxLevel
  localparam int PoolRankW = clog2(MaxLevel + 1);
  localparam int MemqQueues = PoolQueues;               // queues of memq as the pool has it
  localparam int MemqW = clog2(MemqQueues);             // one of them
  localparam int MemqPlaces = PoolRows;                 // places of its region
  localparam int MemqPlaceW = clog2(MemqPlaces);        // one of them
  localparam int MemqCountW = clog2(MemqPlaces + 1);    // a number of places
  localparam int MemqSideW = KinW;                      // what it keeps of an entry on chip
  localparam int MemqTagW = PoolFrontPosW;              // name of an entry that comes back
  localparam int MemqFlight = PoolDepth;                // bursts under way each way
  localparam int MemqFlightW = clog2(MemqFlight + 1);   // a number of them
  localparam int MemqFlightPosW = clog2(MemqFlight);    // a row of those under way
  // incomplete children of a kernel: device kernels in the pool, in the KD and its reports, with a
  // parent record, and between these
  localparam int ChildW = clog2(PoolDepth + PoolRows + NumKin + 3 * NumKde + 16);
  // lists of overflowed groups in memory: one for each KD entry and each suspended kernel
  localparam int NumList = NumKde + NumKin;
  localparam int ListNumW = clog2(NumList);             // one of them
  localparam int ListCountW = ListPosW + 1;             // a number of groups in one
  // rows for overflowed groups fetched ahead
  localparam int OvfqRows = PrefetchDepth + (PrefetchDepth == 1 ? 1 : 0) + 2 * (PrefetchDepth == 0 ?
      1 : 0);
  localparam int OvfqRowW = clog2(OvfqRows);            // one of them
  localparam int OvfqRowsW = clog2(OvfqRows + 1);       // a number of them
  // places of a list that are read ahead of the fetch
  localparam int OvfqWindow = 1 << clog2(OvfqRows + 8);
  localparam int OvfqLanes = 4;                         // pointers in a beat
  localparam int OvfqBeats = OvfqWindow / OvfqLanes;    // rows of four pointers that are read ahead
  localparam int OvfqBeatW = clog2(OvfqBeats);          // one of them
  localparam int OvfqFlight = OvfqWindow;               // bursts of ovfq under way each way
  localparam int OvfqFlightW = clog2(OvfqFlight + 1);   // a number of them
  localparam int OvfqFlightPosW = clog2(OvfqFlight);    // a row of those under way
  // what is known of a read under way: row of a record, or number of pointers
  localparam int OvfqArgW = clog2(OvfqRows + 9);
  localparam int OvfqWrites = 8;                        // pointers that wait to be written
  localparam int OvfqWritesW = clog2(OvfqWrites + 1);   // a number of them
  localparam int OvfqWritesPosW = clog2(OvfqWrites);    // a row of those that wait
  localparam int UnansW = clog2(OvfqWrites + OvfqFlight + 1);  // pointers on their way to memory
  localparam int ParamUnitsW = ParamW - 6;              // a parameter address in units of 64 bytes
  // rows of the pool that are left to kernels that could run
  localparam int PoolReserve = PoolDepth / 4 + (PoolDepth < 4 ? 1 : 0);
  localparam int HoldW = 2;                             // launches on their way to a KD entry
  localparam int AnsCountW = clog2(AnsDepth + 1);       // a number of answers
  localparam int AgtHeadW = 2;                          // groups read ahead (0 to 3)
  localparam int PqW = clog2(PqDepth);                  // a place in a bank of priority queues
  localparam int PqCountW = clog2(PqDepth + 1);         // a number of entries of a bank
  localparam int KindW = 2;                             // enum hd_kind
  localparam int UnitW = 2;                             // enum hd_unit
  localparam int NumConfig = 13;                        // configuration words of the register map
  localparam int FairW = 16;                            // what FairEvery counts: TBs or kernels
  localparam int PolicyW = 2;                           // policy of the SMX scheduler
  // queues of memq as spill has it: one for each bank and level
  localparam int SpillqQueues = NumBank * MaxLevel;
  localparam int SpillqW = clog2(SpillqQueues);         // one of them
  localparam int SpillqPlaces = SpillRows;              // places of its region
  localparam int SpillqPlaceW = clog2(SpillqPlaces);    // one of them
  localparam int SpillqCountW = clog2(SpillqPlaces + 1);  // a number of places
  localparam int SpillqSideW = KdeW;                    // what it keeps of an entry on chip
  localparam int SpillqTagW = BankW;                    // name of an entry that comes back
  localparam int SpillqFlight = SpillFlight;            // bursts under way each way
  localparam int SpillqFlightW = clog2(SpillqFlight + 1);  // a number of them
  localparam int SpillqFlightPosW = clog2(SpillqFlight);  // a row of those under way
  // groups of one queue
  localparam int SpillHeldW = clog2(SpillRows + SpillDepth + SpillFlight + 1);
  // a number of groups that wait to go to memory
  localparam int SpillPutsW = clog2(SpillDepth + 1);
  localparam int SpillPutsPosW = clog2(SpillDepth);     // a row of them
  localparam int LiveW = clog2(NumBank * PqDepth + 1);  // entries of a level in all banks
  // entries of a kernel in banks, and in memory for them
  localparam int QueuedW = clog2(NumBank * PqDepth + SpillRows + SpillDepth + SpillFlight + 1);
  // events by which a kernel fails: a pointer of its list (ovfq), its list or a record (ovfq), a
  // saved TB (susp), a group that waited for its bank (spill)
  localparam int NumFail = 4;
  localparam int LnaW = clog2(Lna);                     // a place of the LNA
  localparam int LnaCountW = clog2(Lna + 1);            // a number of nodes in it
  localparam int PubCountW = clog2(Pub + 1);            // a number of updates in the PUB
  // nodes that are asked for at once: 128 bytes if the LNA holds two of that
  localparam int DgbChunk = (Lna < 32 ? 1 : 0) * (Lna / 2) + (Lna >= 32 ? 1 : 0) * 16;
  // of them: whose TB ids or early updates lie in one beat
  localparam int DgbLanes = (DgbChunk < 8 ? 1 : 0) * DgbChunk + (DgbChunk >= 8 ? 1 : 0) * 8;
  // beats of edges that are asked for at once
  localparam int DgbRows = (Lea < 32 ? 1 : 0) + (Lea >= 32 ? 1 : 0) * (Lea < 128 ? 1 : 0) * (Lea /
      16) + (Lea >= 128 ? 1 : 0) * 8;
  localparam int DgbEdges = DgbRows * 8;                // edges that are asked for at once
  localparam int DgbPair = 2;                           // banks of the levels
  localparam int DgbBanks = 8;                          // banks of the LEA
  localparam int DgbReadsW = clog2(DgbFlight + 1);      // a number of bursts under way
  localparam int DgbReadPosW = clog2(DgbFlight);        // a row of those
  localparam int DgbQuietW = clog2(DgbQuiet);           // cycles without progress
  localparam int DgbSmxW = clog2(NumSmx + 1);           // an SMX; NumSmx: none
  localparam int GcodeW = 3;                            // enum hd_gcode
  localparam int GreadW = 3;                            // enum hd_gread
  localparam int GstateW = 2;                           // enum hd_gstate
  // AGEI of a TBCR: an AGE index, or a place of the LNA
  localparam int AgeiW = AgeW * (AgeW >= LnaW ? 1 : 0) + LnaW * (LnaW > AgeW ? 1 : 0);
  localparam int GraphW = AddrW - 6;                    // the address of a graph's descriptor / 64
  localparam int GpolicyW = 2;                          // enum hd_gpolicy
  // a counter of stalls or cycles as the throttle compares it; modulo
  localparam int ContendW = 32;
  localparam int ContendSumW = ContendW + 1;            // stalls of both kinds
  localparam int EpochW = 16;                           // an epoch of the throttle
  // cycles since the throttle looked last, two epochs at most
  localparam int SinceW = EpochW + 1;
  // the dead band of the throttle: 1/2^band of the last degree
  localparam int BandW = 3;
  localparam int OpenW = clog2(NumSmx + 1);             // a number of SMXs
  localparam int WpolicyW = 2;                          // policy of the warp scheduler
  localparam int WarpW = clog2(WarpsPerSmx);            // a warp of an SMX
  // issue schedulers of an SMX: one for even warps and one for odd
  localparam int WarpScheds = 2;
  localparam int WarpsPerSched = (WarpsPerSmx + 1) / 2;  // warps of an issue scheduler
  localparam int WarpPosW = clog2(WarpsPerSched);       // one of them, or a place in its list
  localparam int WarpPlaces = WarpScheds * WarpsPerSched;  // places of both lists
  localparam int WarpPass = 32;                         // cycles in which the lists are sorted anew
  localparam int WarpPassW = clog2(WarpPass);           // one of them
  localparam int WarpWaitW = clog2(WarpWait + 1);       // cycles for which a ready warp has waited
  localparam int WarpClassW = clog2(CtasPerSmx + 1);    // age of a warp's TB, or none
  localparam int CuW = clog2(NumCu);                    // a CU
  localparam int WaveW = clog2(WavesPerCu);             // a wavefront slot of a CU
  localparam int LanesW = clog2(WaveLanes + 1);         // a number of work-items
  localparam int ChanW = clog2(NumChan);                // a channel
  // a position in a channel's arrays, modulo twice the largest capacity; a number of elements
  localparam int ChanPosW = ChanCap + 1;
  localparam int ChanCapW = clog2(ChanCap + 1);         // log2 of a channel's capacity
  localparam int ChanLevelW = 6;                        // level of a channel
  localparam int ChanBaseW = AddrW - 7;                 // an address in units of 128 bytes
  // clients of the channel table: the CUs and the restarts (yrec)
  localparam int ChanClients = NumCu + 1;
  localparam int ChanClientW = clog2(ChanClients);      // one of them
  localparam int ChanRunsW = clog2(ChanRuns + 1);       // a number of operations that wait
  localparam int ChopW = 2;                             // an operation on a channel
  localparam int ChcodeW = 3;                           // answer to it
  // control entries of 2 bytes in a line of 128 bytes
  localparam int ChanLineEntries = 64;
  localparam int ChanLineAtW = 7;                       // a number of them, or one
  localparam int ChanLineW = clog2(ChanLines);          // a line that is being filled or sent
  localparam int ChanLinesW = clog2(ChanLines + 1);     // a number of them
  // a line of a control array
  localparam int ChanLineNoW = clog2((1 << ChanPosW) / ChanLineEntries);
  // a position in a channel in grains, modulo twice the largest capacity
  localparam int GrainW = ChanPosW - clog2(DoneGrain);
  localparam int DoneEntryW = clog2(DoneRows);          // a beat of done counts on chip
  // a beat of a channel's done counts
  localparam int DoneNoW = clog2((1 << ChanCap) / DoneGrain / 16);
  // beats on chip that are kept free or on their way to memory
  localparam int DoneSpare = (DoneRows + 3) / 4;
  localparam int ChanSlots = NumCu * WavesPerCu;        // wavefront slots of all CUs
  // wavefronts that have not ended at most: running or waiting
  localparam int ChanRecs = ChanSlots + NumChan + 2;
  localparam int ChanRecW = clog2(ChanRecs + 1);        // a number of them
  localparam int ChanPlaceW = clog2(ChanRecs);          // a place of one that waits
  localparam int NumCounters = 39;
  localparam int StatusW = 23;

  typedef enum logic [CodeW-1:0] {
    CodeAccepted = 4'd0,
    CodeRefused = 4'd1,
    CodeZeroDim = 4'd2,
    CodeOverLimit = 4'd3,
    CodeNeverFits = 4'd4,
    CodeUnknownHwq = 4'd5,
    CodeEmptySlot = 4'd6,
    CodeKept = 4'd7
  } code_e;
  localparam int NumCode = 8;

  typedef enum logic [KindW-1:0] {
    KindKernel = 2'd0,
    KindGroup = 2'd1,
    KindSave = 2'd2
  } kind_e;
  localparam int NumKind = 3;

  typedef enum logic [UnitW-1:0] {
    UnitNative = 2'd0,
    UnitGroup = 2'd1,
    UnitSaved = 2'd2
  } unit_e;
  localparam int NumUnit = 3;

  typedef enum logic [PolicyW-1:0] {
    PolicyRr = 2'd0,
    PolicyTbPri = 2'd1,
    PolicySmxBind = 2'd2,
    PolicyAdaptiveBind = 2'd3
  } policy_e;
  localparam int NumPolicy = 4;

  typedef enum logic [WpolicyW-1:0] {
    WpolicyRr = 2'd0,
    WpolicyGrr = 2'd1,
    WpolicyGto = 2'd2,
    WpolicyLwf = 2'd3
  } wpolicy_e;
  localparam int NumWpolicy = 4;

  typedef enum logic [GcodeW-1:0] {
    GcodeFine = 3'd0,
    GcodeMemory = 3'd1,
    GcodeStarts = 3'd2,
    GcodeLevel = 3'd3,
    GcodeEdge = 3'd4,
    GcodeCount = 3'd5,
    GcodeStuck = 3'd6,
    GcodeGraph = 3'd7
  } gcode_e;
  localparam int NumGcode = 8;

  typedef enum logic [GpolicyW-1:0] {
    GpolicyLrr = 2'd0,
    GpolicyLvl = 2'd1,
    GpolicyLvlBind = 2'd2
  } gpolicy_e;
  localparam int NumGpolicy = 3;

  typedef enum logic [GstateW-1:0] {
    GstateHeld = 2'd0,
    GstateProcessing = 2'd1,
    GstateFinished = 2'd2,
    GstateDone = 2'd3
  } gstate_e;
  localparam int NumGstate = 4;

  typedef enum logic [GreadW-1:0] {
    GreadIds = 3'd0,
    GreadNodes = 3'd1,
    GreadNodesLast = 3'd2,
    GreadEarly = 3'd3,
    GreadEdges = 3'd4,
    GreadUpdate = 3'd5
  } gread_e;
  localparam int NumGread = 6;

  typedef enum logic [ChopW-1:0] {
    ChopTalloc = 2'd0,
    ChopEnq = 2'd1,
    ChopTfree = 2'd2,
    ChopYield = 2'd3
  } chop_e;
  localparam int NumChop = 4;

  typedef enum logic [ChcodeW-1:0] {
    ChcodeOk = 3'd0,
    ChcodeNoRoom = 3'd1,
    ChcodeNever = 3'd2,
    ChcodeBad = 3'd3,
    ChcodeFailed = 3'd4
  } chcode_e;
  localparam int NumChcode = 5;

  typedef struct packed {
    logic [PcW-1:0] pc;           // entry PC
    logic [GridXW-1:0] grid_x;    // grid dimensions in TBs
    logic [GridYW-1:0] grid_y;
    logic [GridZW-1:0] grid_z;
    logic [CtaXW-1:0] cta_x;      // TB dimensions in threads
    logic [CtaYW-1:0] cta_y;
    logic [CtaZW-1:0] cta_z;
    logic [ParamW-1:0] param;     // parameter address
  } desc_t;
  localparam int DescW = PcW + GridXW + GridYW + GridZW + CtaXW + CtaYW + CtaZW + ParamW;

  typedef struct packed {
    logic [WarpsW-1:0] warps;     // warps of one TB
    logic [RegUnitsW-1:0] regs;   // registers of one TB in units of RegUnit
    logic [SmemUnitsW-1:0] smem;  // shared memory of one TB in units of 256 bytes
  } need_t;
  localparam int NeedW = WarpsW + RegUnitsW + SmemUnitsW;

  typedef struct packed {
    desc_t desc;                  // what every TB of the kernel is told
    // threads of a TB: the product of the TB dimensions (made by the runtime)
    logic [ThreadsW-1:0] threads;
    logic [RegsW-1:0] regs;       // registers per thread
    logic [SmemW-1:0] smem;       // shared memory of a TB in units of 256 bytes
    logic [HwqIdW-1:0] hwq;       // hardware work queue
    // TBs of the grid: the product of the grid dimensions (made by the runtime)
    logic [CtasW-1:0] ctas;
    logic [TagW-1:0] tag;         // the client's name for the launch
    logic [0:0] graph;            // it has a graph: the descriptor lies at the parameter address
  } launch_t;
  localparam int LaunchW = DescW + ThreadsW + RegsW + SmemW + HwqIdW + CtasW + TagW + 1;

  typedef struct packed {
    logic [TagW-1:0] tag;         // the launch that is answered
    code_e code;                  // enum hd_code
  } answer_t;
  localparam int AnswerW = TagW + CodeW;

  typedef struct packed {
    desc_t desc;                  // a host launch that waits in its HWQ
    need_t need;
    logic [CtasW-1:0] ctas;       // TBs of the grid
    logic [HwqW-1:0] hwq;         // the HWQ that it came from
    logic [TagW-1:0] tag;
  } hwqrow_t;
  localparam int HwqrowW = DescW + NeedW + CtasW + HwqW + TagW;

  typedef struct packed {
    logic [0:0] write;            // 1: write burst; 0: read burst
    logic [AddrW-1:0] addr;       // byte address of the first beat (a multiple of 16)
    logic [2:0] len;              // beats of 16 bytes less one
  } memreq_t;
  localparam int MemreqW = 1 + AddrW + 3;

  typedef struct packed {
    logic [63:0] hi;              // bytes 15 to 8
    logic [63:0] lo;              // bytes 7 to 0
    logic [15:0] strb;            // byte strobes
  } membeat_t;
  localparam int MembeatW = 64 + 64 + 16;

  typedef struct packed {
    logic [63:0] hi;              // bytes 15 to 8
    logic [63:0] lo;              // bytes 7 to 0
    logic [0:0] last;             // last beat of the burst
    logic [0:0] error;            // the memory answered with an error
  } memdata_t;
  localparam int MemdataW = 64 + 64 + 1 + 1;

  typedef struct packed {
    logic [0:0] onchip;           // 1: index is an AGE of the AGT; 0: a record number
    logic [RecW-1:0] index;
  } ptr_t;
  localparam int PtrW = 1 + RecW;

  typedef struct packed {
    kind_e kind;                  // enum hd_kind
    logic [0:0] last;             // last beat of a warp's command
    logic [LaneW-1:0] lane;       // lane of the warp
    logic [SlotW-1:0] slot;       // TB slot of the launching TB
    logic [HwtidW-1:0] hwtid;     // hardware thread index of the lane in its SMX
    logic [RecW-1:0] record;      // record that the SMX has written (groups)
    logic [StreamIdW-1:0] stream;  // device stream (kernels); 0: none
    // entry PC; grid or aggregated dimensions; TB dimensions; parameter address
    desc_t desc;
    logic [ThreadsW-1:0] threads;  // threads of a TB
    logic [RegsW-1:0] regs;       // registers per thread
    logic [SmemW-1:0] smem;       // shared memory of a TB in units of 256 bytes
    logic [CtasW-1:0] ctas;       // TBs of the grid
  } devlaunch_t;
  localparam int DevlaunchW = KindW + 1 + LaneW + SlotW + HwtidW + RecW + StreamIdW + DescW +
      ThreadsW + RegsW + SmemW + CtasW;

  typedef struct packed {
    kind_e kind;                  // as in the command
    logic [LaneW-1:0] lane;       // as in the command
    logic [SlotW-1:0] slot;       // as in the command
    code_e code;                  // enum hd_code
  } devanswer_t;
  localparam int DevanswerW = KindW + LaneW + SlotW + CodeW;

  typedef struct packed {
    logic [PcW-1:0] pc;           // what an eligible kernel shares with a group
    logic [CtaXW-1:0] cta_x;
    logic [CtaYW-1:0] cta_y;
    logic [CtaZW-1:0] cta_z;
    logic [SmemUnitsW-1:0] smem;
  } key_t;
  localparam int KeyW = PcW + CtaXW + CtaYW + CtaZW + SmemUnitsW;

  typedef struct packed {
    logic [GroupXW-1:0] grid_x;   // AGE: aggregated dimensions
    logic [GroupYW-1:0] grid_y;
    logic [GroupZW-1:0] grid_z;
    logic [CtasW-1:0] ctas;       // TBs of the group
    logic [ParamUnitsW-1:0] param;  // parameter address / 64
    logic [LevelW-1:0] level;
  } info_t;
  localparam int InfoW = GroupXW + GroupYW + GroupZW + CtasW + ParamUnitsW + LevelW;

  typedef struct packed {
    ptr_t self;                   // the group
    info_t info;
  } group_t;
  localparam int GroupW = PtrW + InfoW;

  typedef struct packed {
    logic [ParamW-1:0] ctx;       // context pointer
    logic [LevelW-1:0] level;
  } saved_t;
  localparam int SavedW = ParamW + LevelW;

  typedef struct packed {
    desc_t desc;                  // a device kernel that waits
    need_t need;
    logic [CtasW-1:0] ctas;
    logic [LevelW-1:0] level;
    logic [StreamW-1:0] stream;   // 0: none
    logic [KinW-1:0] up;          // parent record of the kernel that launched it
    logic [SmxW-1:0] smx;         // the SMX that launched it
  } devk_t;
  localparam int DevkW = DescW + NeedW + CtasW + LevelW + StreamW + KinW + SmxW;

  typedef struct packed {
    logic [MemqPlaceW-1:0] first;  // place of the oldest entry of a queue
    logic [MemqPlaceW-1:0] last;  // of the youngest
  } memqends_t;
  localparam int MemqendsW = MemqPlaceW + MemqPlaceW;

  typedef struct packed {
    logic [0:0] bad;              // the entry was lost on its way to memory
    logic [MemqSideW-1:0] side;   // what is kept of it on chip
  } memqside_t;
  localparam int MemqsideW = 1 + MemqSideW;

  typedef struct packed {
    logic [MemqW-1:0] owner;      // queue of an entry on its way to memory
    logic [MemqPlaceW-1:0] place;  // its place
    logic [MemqSideW-1:0] side;   // what is kept of it on chip
  } memqput_t;
  localparam int MemqputW = MemqW + MemqPlaceW + MemqSideW;

  typedef struct packed {
    logic [MemqPlaceW-1:0] place;  // place of an entry on its way back
    logic [MemqTagW-1:0] tag;     // its name
  } memqget_t;
  localparam int MemqgetW = MemqPlaceW + MemqTagW;

  typedef struct packed {
    logic [KdeW-1:0] owner;       // kernel whose list a pointer is to be written to
    logic [ListPosW-1:0] pos;     // its place there
    ptr_t ptr;
  } ovfqwrite_t;
  localparam int OvfqwriteW = KdeW + ListPosW + PtrW;

  typedef struct packed {
    logic [0:0] oflist;           // 1: places of a list are read; 0: a record
    logic [OvfqArgW-1:0] arg;     // how many places; in which row the record goes
  } ovfqread_t;
  localparam int OvfqreadW = 1 + OvfqArgW;

  typedef struct packed {
    logic [ListPosW-1:0] first;   // place of the first group that overflowed and is not handed out
    logic [ListCountW-1:0] count;  // groups from there on
  } memlist_t;
  localparam int MemlistW = ListPosW + ListCountW;

  typedef struct packed {
    logic [0:0] ndone;            // all native TBs are handed out
    logic [CtasW-1:0] nextbl;     // next TB of the unit that is to be handed out
    logic [SavW-1:0] sav_first;   // first saved TB in the ring of its saved list
    logic [SavCountW-1:0] sav_count;  // saved TBs
  } progress_t;
  localparam int ProgressW = 1 + CtasW + SavW + SavCountW;

  typedef struct packed {
    logic [0:0] pending;          // groups are linked
    logic [0:0] chained;          // those with an AGE are first: nagei to lagei
    logic [AgtW-1:0] nagei;       // 0 when not chained
    logic [AgtW-1:0] lagei;       // 0 when not chained
  } list_t;
  localparam int ListW = 1 + 1 + AgtW + AgtW;

  typedef struct packed {
    logic [0:0] host;             // launched by the host
    logic [TagW-1:0] tag;         // host
    logic [HwqW-1:0] hwq;         // host
    logic [KinW-1:0] up;          // device: parent record
    logic [StreamW-1:0] stream;   // device: 0 none
    logic [SmxW-1:0] smx;         // device: the SMX that launched it
    // device: what banks still hold of a suspended kernel, whose parent record up is
    logic [0:0] rest;
    logic [0:0] failed;           // an answer of the memory was an error
  } origin_t;
  localparam int OriginW = 1 + TagW + HwqW + KinW + StreamW + SmxW + 1 + 1;

  typedef struct packed {
    desc_t desc;                  // what the KMU offers to the KD
    need_t need;
    logic [CtasW-1:0] ctas;       // TBs of the grid
    logic [LevelW-1:0] level;     // nesting level of its native TBs; 0: launched by the host
    origin_t origin;
    logic [0:0] resumed;          // it comes back from its suspension
    logic [KinW-1:0] kin;         // resumed: its own parent record
    progress_t progress;          // 0 unless resumed
    list_t groups;                // its list of groups; 0 unless resumed
    // where those behind lie, from the first that overflowed on; 0 unless resumed
    memlist_t over;
    logic [0:0] graph;            // it has a graph: the descriptor lies at the parameter address
  } kernel_t;
  localparam int KernelW = DescW + NeedW + CtasW + LevelW + OriginW + 1 + KinW + ProgressW + ListW +
      MemlistW + 1;

  typedef struct packed {
    origin_t origin;              // a kernel that leaves the KD
    logic [0:0] kin_valid;        // it has a parent record
    logic [KinW-1:0] kin;
  } leave_t;
  localparam int LeaveW = OriginW + 1 + KinW;

  typedef struct packed {
    logic [TagW-1:0] tag;
    logic [0:0] failed;           // status: an answer of the memory was an error
  } completion_t;
  localparam int CompletionW = TagW + 1;

  typedef struct packed {
    logic [0:0] valid;            // the slot holds a running TB
    logic [KdeW-1:0] kdei;
    logic [LevelW-1:0] level;
  } look_t;
  localparam int LookW = 1 + KdeW + LevelW;

  typedef struct packed {
    logic [KdeW-1:0] kdei;        // a completed TB
    logic [0:0] age_valid;
    logic [AgeW-1:0] agei;
  } retire_t;
  localparam int RetireW = KdeW + 1 + AgeW;

  typedef struct packed {
    logic [KdeW-1:0] kdei;        // a TB that is handed out: its KD entry
    logic [0:0] group;            // a TB of a group
    logic [0:0] age_valid;        // which has an AGE
    logic [AgeiW-1:0] agei;       // the AGE; the place in the LNA of a node
    logic [LevelW-1:0] level;     // nesting level
    logic [0:0] restart;          // a saved TB
    logic [CtasW-1:0] blkid;      // linear TB id
  } cta_t;
  localparam int CtaW = KdeW + 1 + 1 + AgeiW + LevelW + 1 + CtasW;

  typedef struct packed {
    logic [SlotW-1:0] slot;       // TB slot of the SMX
    logic [KdeW-1:0] kdei;        // Kernel Distributor entry
    logic [0:0] group;            // a TB of a group
    logic [0:0] age_valid;        // which has an AGE: it was linked (policy rr)
    logic [AgeW-1:0] agei;        // the AGE
    logic [LevelW-1:0] level;     // nesting level
    logic [0:0] restart;          // a saved TB: desc.param is its context pointer
    logic [CtasW-1:0] blkid;      // linear TB id; x runs fastest
    desc_t desc;
  } dispatch_t;
  localparam int DispatchW = SlotW + KdeW + 1 + 1 + AgeW + LevelW + 1 + CtasW + DescW;

  typedef struct packed {
    unit_e kind;                  // what the SSCR hands out (0 fields where its kind has none)
    logic [AgeW-1:0] agei;        // group: its AGE
    logic [LevelW-1:0] level;     // nesting level
    logic [GroupXW-1:0] grid_x;   // group: aggregated dimensions
    logic [GroupYW-1:0] grid_y;
    logic [GroupZW-1:0] grid_z;
    logic [ParamW-1:0] param;     // group: parameter address; saved TB: context pointer
  } sscrunit_t;
  localparam int SscrunitW = UnitW + AgeW + LevelW + GroupXW + GroupYW + GroupZW + ParamW;

  typedef struct packed {
    logic [SpillqW-1:0] queue_no;  // a group that waits in memory: its queue
    logic [KdeW-1:0] kdei;        // its kernel
    info_t info;                  // what it is
  } spillgroup_t;
  localparam int SpillgroupW = SpillqW + KdeW + InfoW;

  typedef struct packed {
    // enum hd_unit: Native, the native part of a device kernel, or Group
    unit_e kind;
    logic [KdeW-1:0] kdei;        // the kernel that it belongs to
    logic [GroupXW-1:0] grid_x;   // group: aggregated dimensions (0 for a native part)
    logic [GroupYW-1:0] grid_y;
    logic [GroupZW-1:0] grid_z;
    logic [ParamUnitsW-1:0] param;  // group: parameter address / 64 (0 for a native part)
    logic [CtasW-1:0] ctas;       // TBs (1 or more)
    logic [ArrivalW-1:0] arrival;  // arrival number within its level
    logic [LevelW-1:0] level;     // priority level
  } pqentry_t;
  localparam int PqentryW = UnitW + KdeW + GroupXW + GroupYW + GroupZW + ParamUnitsW + CtasW +
      ArrivalW + LevelW;

  typedef struct packed {
    logic [AddrW-1:0] nodes;      // address of the node array (a multiple of 128)
    logic [AddrW-1:0] edges;      // of the edge array (likewise)
    logic [AddrW-1:0] ids;        // of the TB ids (likewise)
    logic [AddrW-1:0] early;      // of the early updates (likewise)
    logic [15:0] node_count;      // nodes, 1 or more
    logic [31:0] edge_count;      // edges
    gpolicy_e policy;             // enum hd_gpolicy
    logic [15:0] bound;           // levels that a node may be above the oldest that is not done
  } dgbstart_t;
  localparam int DgbstartW = AddrW + AddrW + AddrW + AddrW + 16 + 32 + GpolicyW + 16;

  typedef struct packed {
    gcode_e code;                 // enum hd_gcode
    logic [15:0] vid;             // where (0 if fine)
  } dgbend_t;
  localparam int DgbendW = GcodeW + 16;

  typedef struct packed {
    logic [LnaW-1:0] index;       // its place in the LNA
    logic [15:0] cta;             // linear TB id
    logic [15:0] level;           // its level in the graph
  } dgbnode_t;
  localparam int DgbnodeW = LnaW + 16 + 16;

  typedef struct packed {
    logic [ChanW-1:0] chan;       // a channel that is set up
    logic [ChanCapW-1:0] cap;     // log2 of its capacity
    logic [ChanLevelW-1:0] level;  // its level: the deepest goes first
    logic [0:0] levelized;        // its elements wait until every deeper level is empty
    logic [LanesW-1:0] threshold;  // its predicate: elements that make a wavefront (1 to WaveLanes)
    logic [ChanBaseW-1:0] control;  // address of its control array / 128
    logic [ChanBaseW-1:0] done;   // address of its done counts / 128
  } chanset_t;
  localparam int ChansetW = ChanW + ChanCapW + ChanLevelW + 1 + LanesW + ChanBaseW + ChanBaseW;

  typedef struct packed {
    chop_e kind;                  // enum hd_chop
    logic [ChanW-1:0] chan;       // the channel
    logic [ChanPosW-1:0] off;     // offset of the first element (enq, tfree)
    logic [ChanPosW-1:0] n;       // elements
    logic [WaveW-1:0] slot;       // slot of the wavefront
    logic [ParamW-1:0] ctx;       // context pointer (yield)
  } chanop_t;
  localparam int ChanopW = ChopW + ChanW + ChanPosW + ChanPosW + WaveW + ParamW;

  typedef struct packed {
    chop_e kind;                  // as in the operation
    chcode_e code;                // enum hd_chcode
    logic [ChanPosW-1:0] base;    // offset of the first element (talloc that is Ok)
    logic [WaveW-1:0] slot;       // as in the operation
  } chananswer_t;
  localparam int ChananswerW = ChopW + ChcodeW + ChanPosW + WaveW;

  typedef struct packed {
    logic [CuW-1:0] cu;           // a wavefront that yields
    logic [WaveW-1:0] slot;
    logic [ChanW-1:0] chan;       // the channel that it waits for
    logic [ChanPosW-1:0] n;       // elements that it waits for
    logic [ParamW-1:0] ctx;       // its context pointer
  } chanyield_t;
  localparam int ChanyieldW = CuW + WaveW + ChanW + ChanPosW + ParamW;

  typedef struct packed {
    logic [ChanCapW-1:0] cap;     // log2 of the capacity
    logic [ChanPosW-1:0] tail;    // data tail
    logic [ChanPosW-1:0] reserve;  // reserve tail of the control array
    logic [ChanPosW-1:0] pending;  // elements reserved and not published
  } chanrow_t;
  localparam int ChanrowW = ChanCapW + ChanPosW + ChanPosW + ChanPosW;

  typedef struct packed {
    logic [ChanW-1:0] chan;       // elements of a channel that are done
    logic [ChanPosW-1:0] off;     // offset of the first
    logic [ChanPosW-1:0] n;       // how many
  } donerun_t;
  localparam int DonerunW = ChanW + ChanPosW + ChanPosW;

  typedef struct packed {
    logic [63:0] hi;              // done counts 15 to 8 of a beat
    logic [63:0] lo;              // done counts 7 to 0
  } donerow_t;
  localparam int DonerowW = 64 + 64;

  typedef struct packed {
    logic [ChanW-1:0] chan;       // elements of a channel are reserved or done
    logic [ChanPosW-1:0] n;       // how many
    logic [0:0] done;             // done; else reserved
  } chanlive_t;
  localparam int ChanliveW = ChanW + ChanPosW + 1;

  typedef struct packed {
    logic [CuW-1:0] cu;           // a wavefront that waits
    logic [ChanW-1:0] own;        // the channel whose elements it has
    logic [ChanW-1:0] chan;       // the channel that it waits for
    logic [ChanPosW-1:0] n;       // elements that it waits for
    logic [ParamW-1:0] ctx;       // its context pointer
  } chanwait_t;
  localparam int ChanwaitW = CuW + ChanW + ChanW + ChanPosW + ParamW;

  typedef struct packed {
    logic [CuW-1:0] cu;           // a wavefront that can go on
    logic [ChanW-1:0] own;        // the channel whose elements it has
    logic [ChanW-1:0] chan;       // the channel that it waited for
    logic [ChanPosW-1:0] base;    // offset of what it is given
    chcode_e code;                // enum hd_chcode
    logic [ParamW-1:0] ctx;       // its context pointer
  } chanback_t;
  localparam int ChanbackW = CuW + ChanW + ChanW + ChanPosW + ChcodeW + ParamW;

  typedef struct packed {
    logic [0:0] restart;          // a wavefront goes on; else it begins
    logic [ChanW-1:0] own;        // the channel whose elements it has
    logic [ChanPosW-1:0] start;   // first of its control places
    logic [LanesW-1:0] count;     // how many
    logic [CuW-1:0] cu;           // its CU
    logic [WaveW-1:0] slot;       // its slot
    logic [ChanW-1:0] chan;       // the channel that it waited for (restart)
    logic [ChanPosW-1:0] base;    // offset of what it is given (restart)
    chcode_e code;                // enum hd_chcode (restart)
    logic [ParamW-1:0] ctx;       // its context pointer (restart)
  } chango_t;
  localparam int ChangoW = 1 + ChanW + ChanPosW + LanesW + CuW + WaveW + ChanW + ChanPosW + ChcodeW
      + ParamW;

  typedef struct packed {
    logic [ChanW-1:0] chan;       // the channel whose elements a wavefront has
  } chanown_t;
  localparam int ChanownW = ChanW;

  typedef struct packed {
    logic [CuW-1:0] cu;           // a wavefront that waits
    logic [ChanW-1:0] own;        // the channel whose elements it has
    logic [ChanPosW-1:0] n;       // elements that it waits for
    logic [ParamW-1:0] ctx;       // its context pointer
  } chanrec_t;
  localparam int ChanrecW = CuW + ChanW + ChanPosW + ParamW;

  // The register map: constants from offset 0 on, configuration words after reset. `32'd0 |`:
  // without it a parameter alone has no size to Verilator 5.006.
  localparam logic [287:0] RegConsts = {
    32'd0 | (NumKin | PoolRows << 16),
    32'd0 | (AgtSize | OvfSlots << 16),
    32'd0 | (SmemPerSmx),
    32'd0 | (RegsPerSmx),
    32'd0 | (ThreadsPerSmx),
    32'd0 | (NumKde | NumHwq << 16),
    32'd0 | (NumSmx | CtasPerSmx << 16),
    32'h00020003,
    32'h4844444c
  };
  localparam logic [415:0] RegResets = {
    32'd0 | (DeadBand),
    32'd0 | (Epoch),
    32'h00000000,
    32'h00000000,
    32'h00000000,
    32'h00000000,
    32'h00000000,
    32'h00000000,
    32'h00000000,
    32'h00000000,
    32'h00000000,
    32'h00000000,
    32'h00000000
  };

endpackage
