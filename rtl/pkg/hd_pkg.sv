// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_pkg: parameters, derived parameters, and the payloads of the streams.
//
// Made from the tables in rtl/pkg by `python3 rtl/hdgen rtl`: do not edit. The defaults are
// those of k20c. A macro overrides each: HD_NUM_SMX sets NumSmx. A file of rtl/configs sets the
// macros of a configuration.
package hd_pkg;

  // Returns the number of bits for n different values, at least 1.
  function automatic int clog2(input int n);
    clog2 = n > 2 ? $clog2(n) : 1;
  endfunction

`ifdef HD_NUM_SMX
  localparam int NumSmx = `HD_NUM_SMX;
`else
  localparam int NumSmx = 13;             // streaming multiprocessors (SMXs)
`endif
`ifdef HD_CTAS_PER_SMX
  localparam int CtasPerSmx = `HD_CTAS_PER_SMX;
`else
  localparam int CtasPerSmx = 16;         // TB slots per SMX
`endif
`ifdef HD_THREADS_PER_SMX
  localparam int ThreadsPerSmx = `HD_THREADS_PER_SMX;
`else
  localparam int ThreadsPerSmx = 2048;    // threads per SMX (a multiple of 32)
`endif
`ifdef HD_REGS_PER_SMX
  localparam int RegsPerSmx = `HD_REGS_PER_SMX;
`else
  localparam int RegsPerSmx = 65536;      // registers per SMX
`endif
`ifdef HD_SMEM_PER_SMX
  localparam int SmemPerSmx = `HD_SMEM_PER_SMX;
`else
  localparam int SmemPerSmx = 49152;      // shared memory per SMX, in bytes (a multiple of 256)
`endif
`ifdef HD_REG_UNIT
  localparam int RegUnit = `HD_REG_UNIT;
`else
  localparam int RegUnit = 256;           // allocation granularity of a warp's registers
`endif
`ifdef HD_SMX_PER_CLUSTER
  localparam int SmxPerCluster = `HD_SMX_PER_CLUSTER;
`else
  // SMXs that share a bank of priority queues (in LaPerm: an L1 cache); the last cluster may be
  // smaller
  localparam int SmxPerCluster = 1;
`endif
`ifdef HD_NUM_KDE
  localparam int NumKde = `HD_NUM_KDE;
`else
  localparam int NumKde = 32;             // entries of the Kernel Distributor (KD)
`endif
`ifdef HD_NUM_HWQ
  localparam int NumHwq = `HD_NUM_HWQ;
`else
  localparam int NumHwq = 32;             // hardware work queues (HWQs)
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
  localparam int DoneSlack = 4;           // entries of an SMX's done FIFO beyond one per TB slot
`endif
`ifdef HD_CHOICE_LATENCY
  localparam int ChoiceLatency = `HD_CHOICE_LATENCY;
`else
  // cycles to choose a TB and an SMX: 1, or 2 (whether a TB fits is then computed one cycle
  // earlier)
  localparam int ChoiceLatency = 1;
`endif
`ifdef HD_VISIT
  localparam int Visit = `HD_VISIT;
`else
  // 1: examine one SMX per cycle (LaPerm's literal walk); 0: all SMXs
  localparam int Visit = 0;
`endif
`ifdef HD_NUM_CU
  localparam int NumCu = `HD_NUM_CU;
`else
  localparam int NumCu = 8;               // compute units (CUs) that use channels
`endif
`ifdef HD_WAVES_PER_CU
  localparam int WavesPerCu = `HD_WAVES_PER_CU;
`else
  localparam int WavesPerCu = 40;         // wavefront slots per CU
`endif
`ifdef HD_WAVE_LANES
  localparam int WaveLanes = `HD_WAVE_LANES;
`else
  localparam int WaveLanes = 64;          // work-items per wavefront (a power of two)
`endif
`ifdef HD_NUM_CHAN
  localparam int NumChan = `HD_NUM_CHAN;
`else
  localparam int NumChan = 64;            // channels
`endif
`ifdef HD_CHAN_CAP
  localparam int ChanCap = `HD_CHAN_CAP;
`else
  localparam int ChanCap = 15;            // log2 of the largest channel capacity in elements
`endif
`ifdef HD_DONE_GRAIN
  localparam int DoneGrain = `HD_DONE_GRAIN;
`else
  localparam int DoneGrain = 64;          // elements that share a done count (a power of two)
`endif
`ifdef HD_CHAN_RUNS
  localparam int ChanRuns = `HD_CHAN_RUNS;
`else
  // queued operations for the control array or the done counts (4 or more)
  localparam int ChanRuns = 8;
`endif
`ifdef HD_CHAN_LINES
  localparam int ChanLines = `HD_CHAN_LINES;
`else
  localparam int ChanLines = 4;           // control-array lines being filled or written to memory
`endif
`ifdef HD_CHAN_FLIGHT
  localparam int ChanFlight = `HD_CHAN_FLIGHT;
`else
  localparam int ChanFlight = 16;         // control-array bursts in flight
`endif
`ifdef HD_DONE_ROWS
  localparam int DoneRows = `HD_DONE_ROWS;
`else
  localparam int DoneRows = 16;           // beats of done counts held on chip
`endif
`ifdef HD_CHAN_PAPER
  localparam int ChanPaper = `HD_CHAN_PAPER;
`else
  // bit mask of the paper's literal channel rules, which may deadlock: 1 contiguity, 2 yields
  // without n, 4 a waiting producer counts as active
  localparam int ChanPaper = 0;
`endif
`ifdef HD_PC_W
  localparam int PcW = `HD_PC_W;
`else
  localparam int PcW = 40;                // width of an entry PC
`endif
`ifdef HD_PARAM_W
  localparam int ParamW = `HD_PARAM_W;
`else
  localparam int ParamW = 40;             // width of a parameter address
`endif
`ifdef HD_GRID_XW
  localparam int GridXW = `HD_GRID_XW;
`else
  localparam int GridXW = 31;             // width of grid dimension x
`endif
`ifdef HD_GRID_YW
  localparam int GridYW = `HD_GRID_YW;
`else
  localparam int GridYW = 16;             // width of grid dimension y
`endif
`ifdef HD_GRID_ZW
  localparam int GridZW = `HD_GRID_ZW;
`else
  localparam int GridZW = 16;             // width of grid dimension z
`endif
`ifdef HD_CTA_XW
  localparam int CtaXW = `HD_CTA_XW;
`else
  localparam int CtaXW = 11;              // width of TB dimension x
`endif
`ifdef HD_CTA_YW
  localparam int CtaYW = `HD_CTA_YW;
`else
  localparam int CtaYW = 11;              // width of TB dimension y
`endif
`ifdef HD_CTA_ZW
  localparam int CtaZW = `HD_CTA_ZW;
`else
  localparam int CtaZW = 7;               // width of TB dimension z
`endif
`ifdef HD_THREADS_W
  localparam int ThreadsW = `HD_THREADS_W;
`else
  localparam int ThreadsW = 11;           // width of the number of threads in a TB
`endif
`ifdef HD_REGS_W
  localparam int RegsW = `HD_REGS_W;
`else
  localparam int RegsW = 8;               // width of registers per thread
`endif
`ifdef HD_SMEM_W
  localparam int SmemW = `HD_SMEM_W;
`else
  localparam int SmemW = 10;              // width of a TB's shared memory, in units of 256 bytes
`endif
`ifdef HD_HWQ_ID_W
  localparam int HwqIdW = `HD_HWQ_ID_W;
`else
  // width of the HWQ number in a launch (wider than needed, so that a launch can name an unknown
  // HWQ)
  localparam int HwqIdW = 8;
`endif
`ifdef HD_CTAS_W
  localparam int CtasW = `HD_CTAS_W;
`else
  localparam int CtasW = 32;              // width of a number of TBs and of a linear TB id
`endif
`ifdef HD_TAG_W
  localparam int TagW = `HD_TAG_W;
`else
  localparam int TagW = 16;               // width of the client's tag of a launch
`endif
`ifdef HD_EXE_W
  localparam int ExeW = `HD_EXE_W;
`else
  localparam int ExeW = 16;               // width of ExeBL (TBs of a kernel in execution)
`endif
`ifdef HD_ADDR_W
  localparam int AddrW = `HD_ADDR_W;
`else
  localparam int AddrW = 40;              // width of a byte address of the memory port
`endif
`ifdef HD_HAS_LAUNCH
  localparam int HasLaunch = `HD_HAS_LAUNCH;
`else
  // 1: TBs launch kernels (devq, kin, pool, susp); 0: a launch of a TB is answered with OverLimit
  localparam int HasLaunch = 1;
`endif
`ifdef HD_HAS_GROUPS
  localparam int HasGroups = `HD_HAS_GROUPS;
`else
  // 1: TBs launch groups (match, link, ovfq, agt, agc); 0: such a launch is answered with OverLimit
  localparam int HasGroups = 1;
`endif
`ifdef HD_AGT_SIZE
  localparam int AgtSize = `HD_AGT_SIZE;
`else
  localparam int AgtSize = 1024;          // entries of the Aggregated Group Table (a power of two)
`endif
`ifdef HD_AGT_HASH
  localparam int AgtHash = `HD_AGT_HASH;
`else
  // AGT allocation: 2 free list; 0 hw_tid modulo AgtSize (paper); 1 hw_tid folded with the SMX
  // number
  localparam int AgtHash = 2;
`endif
`ifdef HD_OVF_SLOTS
  localparam int OvfSlots = `HD_OVF_SLOTS;
`else
  // AGEIs for fetched overflowed groups (default: resident TBs + 1)
  localparam int OvfSlots = 209;
`endif
`ifdef HD_KDE_SEARCH_LANES
  localparam int KdeSearchLanes = `HD_KDE_SEARCH_LANES;
`else
  // KD entries that the eligibility search examines per cycle
  localparam int KdeSearchLanes = 32;
`endif
`ifdef HD_PREFETCH_DEPTH
  localparam int PrefetchDepth = `HD_PREFETCH_DEPTH;
`else
  // overflowed groups fetched ahead of need; 0: fetch when the SMX scheduler waits for one
  localparam int PrefetchDepth = 56;
`endif
`ifdef HD_LIST_POS_W
  localparam int ListPosW = `HD_LIST_POS_W;
`else
  // width of a position in a list of overflowed groups; a list has 2^ListPosW positions
  localparam int ListPosW = 17;
`endif
`ifdef HD_FAIR_EVERY
  localparam int FairEvery = `HD_FAIR_EVERY;
`else
  // 0: off; k: after k consecutive TBs or kernels, the skipped ones get a turn: kernels in FCFS
  // order, queue 0 against the banks, the classes of the KMU
  localparam int FairEvery = 0;
`endif
`ifdef HD_MAX_LEVEL
  localparam int MaxLevel = `HD_MAX_LEVEL;
`else
  localparam int MaxLevel = 4;            // highest priority level
`endif
`ifdef HD_HAS_BANKS
  localparam int HasBanks = `HD_HAS_BANKS;
`else
  // 1: the plane has LaPerm's banks (laperm, spill); 0: its only policy is rr
  localparam int HasBanks = 1;
`endif
`ifdef HD_PQ_DEPTH
  localparam int PqDepth = `HD_PQ_DEPTH;
`else
  localparam int PqDepth = 128;           // entries of a bank of priority queues
`endif
`ifdef HD_SPILL_DEPTH
  localparam int SpillDepth = `HD_SPILL_DEPTH;
`else
  localparam int SpillDepth = 4;          // groups queued for writing to that region (3 or more)
`endif
`ifdef HD_SPILL_FLIGHT
  localparam int SpillFlight = `HD_SPILL_FLIGHT;
`else
  localparam int SpillFlight = 48;        // groups being read back from it at once
`endif
`ifdef HD_RING_POS_W
  localparam int RingPosW = `HD_RING_POS_W;
`else
  // log2 of the largest number of entries of a ring: a queue of groups in memory that wait for
  // their bank
  localparam int RingPosW = 18;
`endif
`ifdef HD_NUM_KIN
  localparam int NumKin = `HD_NUM_KIN;
`else
  localparam int NumKin = 128;            // parent records: kernels with incomplete children
`endif
`ifdef HD_NUM_STREAMS
  localparam int NumStreams = `HD_NUM_STREAMS;
`else
  localparam int NumStreams = 32;         // device streams, including 0, which means none
`endif
`ifdef HD_POOL_DEPTH
  localparam int PoolDepth = `HD_POOL_DEPTH;
`else
  localparam int PoolDepth = 32;          // device kernels held on chip (2 or more)
`endif
`ifdef HD_POOL_ROWS
  localparam int PoolRows = `HD_POOL_ROWS;
`else
  localparam int PoolRows = 2048;         // device kernels held in memory
`endif
`ifdef HD_ANS_DEPTH
  localparam int AnsDepth = `HD_ANS_DEPTH;
`else
  // answers queued per SMX (8 or more: one launch per cycle)
  localparam int AnsDepth = 8;
`endif
`ifdef HD_HAS_GRAPH
  localparam int HasGraph = `HD_HAS_GRAPH;
`else
  // 1: the plane has the graph buffer (dats, dgb); 0: launches with a graph are refused
  localparam int HasGraph = 1;
`endif
`ifdef HD_LNA
  localparam int Lna = `HD_LNA;
`else
  // graph nodes in the dependency graph buffer (a power of two)
  localparam int Lna = 128;
`endif
`ifdef HD_LEA
  localparam int Lea = `HD_LEA;
`else
  // graph edges in the dependency graph buffer (a power of two)
  localparam int Lea = 512;
`endif
`ifdef HD_PUB
  localparam int Pub = `HD_PUB;
`else
  localparam int Pub = 64;                // pending updates of nodes that are not loaded yet
`endif
`ifdef HD_CHILD_LANES
  localparam int ChildLanes = `HD_CHILD_LANES;
`else
  localparam int ChildLanes = 4;          // child counts decremented per cycle
`endif
`ifdef HD_DGB_FLIGHT
  localparam int DgbFlight = `HD_DGB_FLIGHT;
`else
  localparam int DgbFlight = 32;          // reads, and writes, of the graph buffer in flight
`endif
`ifdef HD_DGB_QUIET
  localparam int DgbQuiet = `HD_DGB_QUIET;
`else
  // cycles without progress after which a graph counts as stuck
  localparam int DgbQuiet = 1024;
`endif
`ifdef HD_DGB_PAPER
  localparam int DgbPaper = `HD_DGB_PAPER;
`else
  // 1: the paper's own rules for the head and for a full PUB, under which a graph may deadlock
  localparam int DgbPaper = 0;
`endif
`ifdef HD_HAS_THROTTLE
  localparam int HasThrottle = `HD_HAS_THROTTLE;
`else
  localparam int HasThrottle = 1;         // 1: the plane has the throttle; 0: all SMXs stay open
`endif
`ifdef HD_EPOCH
  localparam int Epoch = `HD_EPOCH;
`else
  // minimum cycles between two contention samples of the throttle; reset value of THROTTLE_EPOCH
  localparam int Epoch = 1024;
`endif
`ifdef HD_DEAD_BAND
  localparam int DeadBand = `HD_DEAD_BAND;
`else
  // contention counts as higher only if it exceeds the last by more than 1/2^DeadBand (0: by any
  // amount); reset value of THROTTLE_BAND
  localparam int DeadBand = 2;
`endif
`ifdef HD_RECOVERS
  localparam int Recovers = `HD_RECOVERS;
`else
  // 1: the throttle opens all SMXs after an epoch without refused requests or without a waiting TB
  // (0: the paper's rule)
  localparam int Recovers = 1;
`endif
`ifdef HD_EQUAL_HOLDS
  localparam int EqualHolds = `HD_EQUAL_HOLDS;
`else
  // 1: a degree of contention equal to the last one changes nothing (the paper's listing)
  localparam int EqualHolds = 0;
`endif
`ifdef HD_STALL_W
  localparam int StallW = `HD_STALL_W;
`else
  // width of a warp's stall-cycle count; at saturation the counts of its TB are halved
  localparam int StallW = 16;
`endif
`ifdef HD_WARP_WAIT
  localparam int WarpWait = `HD_WARP_WAIT;
`else
  // cycles for which a ready warp waits before it goes first (policy lwf)
  localparam int WarpWait = 1024;
`endif
`ifdef HD_REC_W
  localparam int RecW = `HD_REC_W;
`else
  localparam int RecW = 31;               // width of a record number or AGE index
`endif
`ifdef HD_STREAM_ID_W
  localparam int StreamIdW = `HD_STREAM_ID_W;
`else
  // width of the stream number in a launch (wider than needed)
  localparam int StreamIdW = 8;
`endif
`ifdef HD_LANE_W
  localparam int LaneW = `HD_LANE_W;
`else
  localparam int LaneW = 5;               // width of a lane number within a warp
`endif
`ifdef HD_LEVEL_W
  localparam int LevelW = `HD_LEVEL_W;
`else
  localparam int LevelW = 5;              // width of a priority level
`endif
`ifdef HD_ARRIVAL_W
  localparam int ArrivalW = `HD_ARRIVAL_W;
`else
  // width of a priority queue entry's arrival number within its level
  localparam int ArrivalW = 20;
`endif
`ifdef HD_GROUP_XW
  localparam int GroupXW = `HD_GROUP_XW;
`else
  localparam int GroupXW = 16;            // width of aggregated dimension x in an AGE
`endif
`ifdef HD_GROUP_YW
  localparam int GroupYW = `HD_GROUP_YW;
`else
  localparam int GroupYW = 16;            // width of aggregated dimension y in an AGE
`endif
`ifdef HD_GROUP_ZW
  localparam int GroupZW = `HD_GROUP_ZW;
`else
  localparam int GroupZW = 8;             // width of aggregated dimension z in an AGE
`endif

  localparam int WarpsPerSmx = ThreadsPerSmx / 32;      // warps per SMX
  localparam int RegUnitsPerSmx = RegsPerSmx / RegUnit;  // register units per SMX
  localparam int SmemUnitsPerSmx = SmemPerSmx / 256;    // shared memory units per SMX
  // width of a number of warps, up to one more than an SMX has
  localparam int WarpsW = clog2(WarpsPerSmx + 2);
  localparam int RegUnitsW = clog2(RegUnitsPerSmx + 1);  // width of a number of register units
  // width of a number of shared memory units
  localparam int SmemUnitsW = clog2(SmemUnitsPerSmx + 1);
  localparam int SmxW = clog2(NumSmx);                  // width of an SMX number
  // banks of priority queues, one per cluster
  localparam int NumBank = (NumSmx + SmxPerCluster - 1) / SmxPerCluster;
  localparam int BankW = clog2(NumBank);                // width of a bank number
  localparam int SlotW = clog2(CtasPerSmx);             // width of a TB slot number
  localparam int KdeW = clog2(NumKde);                  // width of a KD entry number
  localparam int KdeCountW = clog2(NumKde + 1);         // width of a number of KD entries
  localparam int PendW = KdeW + 1;                      // width of a KD tag row number
  localparam int HwqW = clog2(NumHwq);                  // width of an HWQ number
  localparam int HwqCountW = clog2(HwqDepth + 1);       // width of a number of launches in an HWQ
  localparam int HwqPosW = clog2(HwqDepth);             // width of a position in an HWQ
  localparam int DoneDepth = CtasPerSmx + DoneSlack;    // entries of an SMX's done FIFO
  localparam int DoneCountW = clog2(DoneDepth + 1);     // width of a number of done FIFO entries
  localparam int DonePosW = clog2(DoneDepth);           // width of a position in the done FIFO
  // clients of the memory-port arbiter: ovfq, pool, susp, spill, dats, dgb
  localparam int MemClients = 6;
  // width of a client number of the memory port
  localparam int MemIdW = clog2(MemClients);
  localparam int CodeW = 4;                             // width of enum hd_code
  localparam int ApbAddrW = 12;                         // width of an APB address
  localparam int CounterW = 48;                         // width of a performance counter
  localparam int Resident = NumSmx * CtasPerSmx;        // maximum number of resident TBs
  // width of a hardware thread index within an SMX
  localparam int HwtidW = clog2(ThreadsPerSmx);
  localparam int AgtW = clog2(AgtSize);                 // width of an AGT entry number
  // banks of the AGT's RAMs, each of at most 256 rows
  localparam int AgtBanks = (AgtSize + 255) / 256;
  localparam int NumAge = AgtSize + OvfSlots;           // AGEs: AGT entries and overflow slots
  // width of an AGE index (AGEI); indices from AgtSize on are overflow slots
  localparam int AgeW = clog2(NumAge);
  localparam int OvfW = clog2(OvfSlots);                // width of an overflow slot number
  // width of the TBs handed out, or done, of one group; modulo 2^ExeHalfW
  localparam int ExeHalfW = clog2(Resident + 1);
  // distance between the AGT indices of two SMXs under AgtHash 1
  localparam int SmxStep = AgtSize / NumSmx + (NumSmx > AgtSize ? 1 : 0);
  localparam int SavMax = (Resident + 15) / 16 * 16;    // maximum number of saved TBs of a kernel
  localparam int SavW = clog2(SavMax);                  // width of a position in a saved list
  localparam int SavCountW = clog2(SavMax + 1);         // width of a number of saved TBs
  // bytes of a suspension record with its saved list
  localparam int SusStride = 128 + SavMax * 8;
  localparam int KinW = clog2(NumKin);                  // width of a parent record number
  localparam int StreamW = clog2(NumStreams);           // width of a device stream number
  // width of a position in the pool's ring in memory
  localparam int PoolPosW = clog2(PoolRows);
  localparam int PoolCountW = clog2(PoolRows + 1);      // width of a number of kernels in memory
  localparam int PoolFrontW = clog2(PoolDepth + 1);     // width of a number of kernels on chip
  // width of a row number of the pool's on-chip kernels
  localparam int PoolFrontPosW = clog2(PoolDepth);
  // queues of the pool: one per stream, and one per bank and level
  localparam int PoolQueues = NumStreams + NumBank * MaxLevel;
  localparam int PoolQueueW = clog2(PoolQueues);        // width of a pool queue number
  // round-robin participants of the pool: one per stream and one per bank
  localparam int PoolTurns = NumStreams + NumBank;
  localparam int PoolTurnW = clog2(PoolTurns);          // width of a participant's number
  // width of a level as the pool compares it; levels above MaxLevel count as MaxLevel
  localparam int PoolRankW = clog2(MaxLevel + 1);
  localparam int MemqQueues = PoolQueues;               // queues of memq inside the pool
  localparam int MemqW = clog2(MemqQueues);             // width of a queue number of memq
  localparam int MemqPlaces = PoolRows;                 // entries of memq's region in memory
  // width of an entry's index in memq's region
  localparam int MemqPlaceW = clog2(MemqPlaces);
  // width of a number of entries in memq's region
  localparam int MemqCountW = clog2(MemqPlaces + 1);
  // width of the data that memq keeps on chip for an entry
  localparam int MemqSideW = KinW;
  // width of the tag of an entry that is read back
  localparam int MemqTagW = PoolFrontPosW;
  localparam int MemqFlight = PoolDepth;                // reads, and writes, of memq in flight
  // width of a number of bursts of memq in flight
  localparam int MemqFlightW = clog2(MemqFlight + 1);
  // width of a row number of memq's bursts in flight
  localparam int MemqFlightPosW = clog2(MemqFlight);
  // width of a kernel's incomplete children: device kernels in the pool, in the KD and its reports,
  // with a parent record, and in transit between these
  localparam int ChildW = clog2(PoolDepth + PoolRows + NumKin + 3 * NumKde + 16);
  // lists of overflowed groups in memory: one per KD entry and per suspended kernel
  localparam int NumList = NumKde + NumKin;
  localparam int ListNumW = clog2(NumList);             // width of a list number
  localparam int ListCountW = ListPosW + 1;             // width of a number of groups in a list
  // rows for overflowed groups fetched ahead
  localparam int OvfqRows = PrefetchDepth + (PrefetchDepth == 1 ? 1 : 0) + 2 * (PrefetchDepth == 0 ?
      1 : 0);
  localparam int OvfqRowW = clog2(OvfqRows);            // width of a row number
  localparam int OvfqRowsW = clog2(OvfqRows + 1);       // width of a number of rows
  // list positions that are read ahead of the fetch
  localparam int OvfqWindow = 1 << clog2(OvfqRows + 8);
  localparam int OvfqLanes = 4;                         // pointers per memory beat
  // rows of four pointers in the read-ahead window
  localparam int OvfqBeats = OvfqWindow / OvfqLanes;
  localparam int OvfqBeatW = clog2(OvfqBeats);          // width of such a row's number
  localparam int OvfqFlight = OvfqWindow;               // reads, and writes, of ovfq in flight
  // width of a number of bursts of ovfq in flight
  localparam int OvfqFlightW = clog2(OvfqFlight + 1);
  // width of a row number of ovfq's bursts in flight
  localparam int OvfqFlightPosW = clog2(OvfqFlight);
  // width of the argument of a read in flight: row of a record, or number of pointers
  localparam int OvfqArgW = clog2(OvfqRows + 9);
  localparam int OvfqWrites = 8;                        // pointers queued for writing
  localparam int OvfqWritesW = clog2(OvfqWrites + 1);   // width of a number of queued pointers
  // width of a row number of the queued pointers
  localparam int OvfqWritesPosW = clog2(OvfqWrites);
  // width of a number of pointers being written to memory
  localparam int UnansW = clog2(OvfqWrites + OvfqFlight + 1);
  // width of a parameter address in units of 64 bytes
  localparam int ParamUnitsW = ParamW - 6;
  // pool rows reserved for kernels that could run
  localparam int PoolReserve = PoolDepth / 4 + (PoolDepth < 4 ? 1 : 0);
  // width of the number of launches on their way to a KD entry
  localparam int HoldW = 2;
  localparam int AnsCountW = clog2(AnsDepth + 1);       // width of a number of answers
  // width of the number of groups read ahead (0 to 3)
  localparam int AgtHeadW = 2;
  // width of an entry index in a bank of priority queues
  localparam int PqW = clog2(PqDepth);
  localparam int PqCountW = clog2(PqDepth + 1);         // width of a number of entries in a bank
  localparam int KindW = 2;                             // width of enum hd_kind
  localparam int UnitW = 2;                             // width of enum hd_unit
  localparam int NumConfig = 13;                        // configuration words of the register map
  // width of the count that FairEvery limits: TBs or kernels
  localparam int FairW = 16;
  localparam int PolicyW = 2;                           // width of the SMX scheduler's policy
  // groups that spill reads back at once, and places of a bank kept for them
  localparam int SpillLine = 1 + (PqDepth >= 4 ? 1 : 0) + 2 * (PqDepth >= 8 ? 1 : 0) * (SpillFlight
      >= 4 ? 1 : 0);
  localparam int RingQueues = NumBank * MaxLevel;       // queues of memring: one per bank and level
  localparam int RingW = clog2(RingQueues);             // width of a queue number of memring
  // width of an entry's position in its ring, modulo twice the largest number of entries
  localparam int RingIndexW = RingPosW + 1;
  // width of log2 of the number of entries of a ring
  localparam int RingOrderW = clog2(RingPosW + 1);
  localparam int RingLine = SpillLine;                  // entries that are read at once
  localparam int RingFlight = SpillFlight;              // reads, and writes, of memring in flight
  // width of a number of bursts of memring in flight
  localparam int RingFlightW = clog2(RingFlight + 1);
  // width of a row number of memring's bursts in flight
  localparam int RingFlightPosW = clog2(RingFlight);
  // entries that may be put after a ring reports that it has no room
  localparam int RingLate = SpillDepth + 2;
  // entries of a ring that stay unused: those put late, those being read, and the one that fills it
  localparam int RingMargin = RingLate + RingFlight * RingLine + 1;
  // log2 of the smallest number of entries of a ring
  localparam int RingOrderMin = clog2(RingMargin + 1);
  // entries whose write failed that are remembered
  localparam int RingBad = RingFlight + RingLate;
  localparam int RingUsedW = RingW + RingPosW + 1;      // width of a number of entries in all rings
  // width of a number of groups queued for writing to memory
  localparam int SpillPutsW = clog2(SpillDepth + 1);
  localparam int SpillPutsPosW = clog2(SpillDepth);     // width of a row number of these groups
  // width of a number of groups requested from memory that are not in their bank
  localparam int SpillOutW = clog2(SpillFlight + 1);
  // width of a row number of the groups read back
  localparam int SpillOutPosW = clog2(SpillFlight);
  // width of a number of groups of one kernel that wait for their banks: to be written, or in
  // memory
  localparam int SpillCountW = clog2((RingQueues << RingPosW) + SpillDepth + 1);
  // width of a number of entries of one level in all banks
  localparam int LiveW = clog2(NumBank * PqDepth + 1);
  // width of a number of entries of one kernel in the banks and in memory for them
  localparam int QueuedW = clog2((RingQueues << RingPosW) + NumBank * PqDepth + SpillDepth +
      SpillFlight + 1);
  // events that fail a kernel: a pointer of its list (ovfq), its list or a record (ovfq), a saved
  // TB (susp), a group waiting in memory for its bank (spill)
  localparam int NumFail = 4;
  localparam int LnaW = clog2(Lna);                     // width of an LNA index
  localparam int LnaCountW = clog2(Lna + 1);            // width of a number of nodes in the LNA
  localparam int PubCountW = clog2(Pub + 1);            // width of a number of updates in the PUB
  // nodes requested at once: 128 bytes if the LNA holds two such chunks
  localparam int DgbChunk = (Lna < 32 ? 1 : 0) * (Lna / 2) + (Lna >= 32 ? 1 : 0) * 16;
  // nodes of a chunk whose TB ids or early updates share one beat
  localparam int DgbLanes = (DgbChunk < 8 ? 1 : 0) * DgbChunk + (DgbChunk >= 8 ? 1 : 0) * 8;
  // beats of edges requested at once
  localparam int DgbRows = (Lea < 32 ? 1 : 0) + (Lea >= 32 ? 1 : 0) * (Lea < 128 ? 1 : 0) * (Lea /
      16) + (Lea >= 128 ? 1 : 0) * 8;
  localparam int DgbEdges = DgbRows * 8;                // edges requested at once
  localparam int DgbPair = 2;                           // banks of the level RAM
  localparam int DgbBanks = 8;                          // banks of the LEA
  // width of a number of the graph buffer's bursts in flight
  localparam int DgbReadsW = clog2(DgbFlight + 1);
  localparam int DgbReadPosW = clog2(DgbFlight);        // width of a row number of these bursts
  // width of a number of cycles without progress
  localparam int DgbQuietW = clog2(DgbQuiet);
  // width of an SMX number, or NumSmx for none
  localparam int DgbSmxW = clog2(NumSmx + 1);
  localparam int GcodeW = 3;                            // width of enum hd_gcode
  localparam int GreadW = 3;                            // width of enum hd_gread
  localparam int GstateW = 2;                           // width of enum hd_gstate
  // width of the AGEI of a TBCR: an AGE index or an LNA index
  localparam int AgeiW = AgeW * (AgeW >= LnaW ? 1 : 0) + LnaW * (LnaW > AgeW ? 1 : 0);
  // width of the address of a graph's descriptor / 64
  localparam int GraphW = AddrW - 6;
  localparam int GpolicyW = 2;                          // width of enum hd_gpolicy
  // width of a stall or cycle counter as the throttle compares it; modulo 2^ContendW
  localparam int ContendW = 32;
  localparam int ContendSumW = ContendW + 1;            // width of the sum of both stall counters
  // width of an epoch of the throttle, in cycles
  localparam int EpochW = 16;
  // width of the cycles since the throttle's last sample, saturating at two epochs
  localparam int SinceW = EpochW + 1;
  // width of the throttle's dead band k: 1/2^k of the last degree
  localparam int BandW = 3;
  localparam int OpenW = clog2(NumSmx + 1);             // width of a number of SMXs
  localparam int WpolicyW = 2;                          // width of the warp scheduler's policy
  localparam int WarpW = clog2(WarpsPerSmx);            // width of a warp number within an SMX
  // issue schedulers per SMX: one for the even warps, one for the odd warps
  localparam int WarpScheds = 2;
  localparam int WarpsPerSched = (WarpsPerSmx + 1) / 2;  // warps per issue scheduler
  // width of a warp number within a scheduler, or of a position in its list
  localparam int WarpPosW = clog2(WarpsPerSched);
  // positions in the lists of both schedulers
  localparam int WarpPlaces = WarpScheds * WarpsPerSched;
  localparam int WarpPass = 32;                         // cycles in which the lists are sorted once
  // width of a cycle number within a sorting pass
  localparam int WarpPassW = clog2(WarpPass);
  // width of the cycles for which a ready warp has waited
  localparam int WarpWaitW = clog2(WarpWait + 1);
  localparam int WarpClassW = clog2(CtasPerSmx + 1);    // width of the age of a warp's TB, or none
  localparam int CuW = clog2(NumCu);                    // width of a CU number
  // width of a wavefront slot number within a CU
  localparam int WaveW = clog2(WavesPerCu);
  localparam int LanesW = clog2(WaveLanes + 1);         // width of a number of work-items
  localparam int ChanW = clog2(NumChan);                // width of a channel number
  // width of a position in a channel's arrays, modulo twice the largest capacity, or of a number of
  // elements
  localparam int ChanPosW = ChanCap + 1;
  localparam int ChanCapW = clog2(ChanCap + 1);         // width of log2 of a channel's capacity
  localparam int ChanLevelW = 6;                        // width of a channel's level
  localparam int ChanBaseW = AddrW - 7;                 // width of an address in units of 128 bytes
  // clients of the channel table: the CUs and the restarts (yrec)
  localparam int ChanClients = NumCu + 1;
  localparam int ChanClientW = clog2(ChanClients);      // width of a client number
  localparam int ChanRunsW = clog2(ChanRuns + 1);       // width of a number of queued operations
  localparam int ChopW = 2;                             // width of enum hd_chop
  localparam int ChcodeW = 3;                           // width of enum hd_chcode
  // control entries of 2 bytes per line of 128 bytes
  localparam int ChanLineEntries = 64;
  // width of a position in a line, or of a number of its entries
  localparam int ChanLineAtW = 7;
  // width of the number of a line being filled or sent
  localparam int ChanLineW = clog2(ChanLines);
  localparam int ChanLinesW = clog2(ChanLines + 1);     // width of a number of such lines
  // width of a line's index within a control array
  localparam int ChanLineNoW = clog2((1 << ChanPosW) / ChanLineEntries);
  // width of a position in a channel in grains, modulo twice the largest capacity
  localparam int GrainW = ChanPosW - clog2(DoneGrain);
  // width of the number of an on-chip beat of done counts
  localparam int DoneEntryW = clog2(DoneRows);
  // width of the index of a beat within a channel's done counts
  localparam int DoneNoW = clog2((1 << ChanCap) / DoneGrain / 16);
  // on-chip beats kept free or being written back
  localparam int DoneSpare = (DoneRows + 3) / 4;
  localparam int ChanSlots = NumCu * WavesPerCu;        // wavefront slots of all CUs
  // maximum number of wavefronts that have not ended, running or waiting
  localparam int ChanRecs = ChanSlots + NumChan + 2;
  localparam int ChanRecW = clog2(ChanRecs + 1);        // width of a number of such wavefronts
  // width of the number of a waiting wavefront's record
  localparam int ChanPlaceW = clog2(ChanRecs);
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
    logic [GridXW-1:0] grid_x;    // grid dimension x in TBs
    logic [GridYW-1:0] grid_y;    // grid dimension y in TBs
    logic [GridZW-1:0] grid_z;    // grid dimension z in TBs
    logic [CtaXW-1:0] cta_x;      // TB dimension x in threads
    logic [CtaYW-1:0] cta_y;      // TB dimension y in threads
    logic [CtaZW-1:0] cta_z;      // TB dimension z in threads
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
    desc_t desc;                  // descriptor of the kernel, passed on to every TB
    // threads per TB: the product of the TB dimensions (computed by the runtime)
    logic [ThreadsW-1:0] threads;
    logic [RegsW-1:0] regs;       // registers per thread
    logic [SmemW-1:0] smem;       // shared memory per TB in units of 256 bytes
    logic [HwqIdW-1:0] hwq;       // hardware work queue
    // TBs of the grid: the product of the grid dimensions (computed by the runtime)
    logic [CtasW-1:0] ctas;
    logic [TagW-1:0] tag;         // tag by which the client names the launch
    // the kernel has a graph: the parameter address is that of the graph's descriptor
    logic [0:0] graph;
  } launch_t;
  localparam int LaunchW = DescW + ThreadsW + RegsW + SmemW + HwqIdW + CtasW + TagW + 1;

  typedef struct packed {
    logic [TagW-1:0] tag;         // tag of the answered launch
    code_e code;                  // enum hd_code
  } answer_t;
  localparam int AnswerW = TagW + CodeW;

  typedef struct packed {
    desc_t desc;                  // descriptor of a host launch queued in its HWQ
    need_t need;                  // resources of one TB
    logic [CtasW-1:0] ctas;       // TBs of the grid
    logic [HwqW-1:0] hwq;         // hardware work queue of the launch
    logic [TagW-1:0] tag;         // tag of the launch
  } hwqrow_t;
  localparam int HwqrowW = DescW + NeedW + CtasW + HwqW + TagW;

  typedef struct packed {
    logic [0:0] write;            // 1: write burst; 0: read burst
    logic [AddrW-1:0] addr;       // byte address of the first beat (a multiple of 16)
    logic [2:0] len;              // number of beats of 16 bytes, minus one
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
    logic [RecW-1:0] index;       // AGE index or record number
  } ptr_t;
  localparam int PtrW = 1 + RecW;

  typedef struct packed {
    kind_e kind;                  // enum hd_kind
    logic [0:0] last;             // last beat of a warp's command
    logic [LaneW-1:0] lane;       // lane of the warp
    logic [SlotW-1:0] slot;       // TB slot of the launching TB
    logic [HwtidW-1:0] hwtid;     // hardware thread index of the lane in its SMX
    logic [RecW-1:0] record;      // number of the record that the SMX has written (groups)
    logic [StreamIdW-1:0] stream;  // device stream (kernels); 0: none
    // entry PC; grid or aggregated dimensions; TB dimensions; parameter address
    desc_t desc;
    logic [ThreadsW-1:0] threads;  // threads per TB
    logic [RegsW-1:0] regs;       // registers per thread
    logic [SmemW-1:0] smem;       // shared memory per TB in units of 256 bytes
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
    // entry PC; all fields: attributes that a group shares with an eligible kernel
    logic [PcW-1:0] pc;
    logic [CtaXW-1:0] cta_x;      // TB dimension x in threads
    logic [CtaYW-1:0] cta_y;      // TB dimension y in threads
    logic [CtaZW-1:0] cta_z;      // TB dimension z in threads
    logic [SmemUnitsW-1:0] smem;  // shared memory per TB in units of 256 bytes
  } key_t;
  localparam int KeyW = PcW + CtaXW + CtaYW + CtaZW + SmemUnitsW;

  typedef struct packed {
    logic [GroupXW-1:0] grid_x;   // aggregated dimension x
    logic [GroupYW-1:0] grid_y;   // aggregated dimension y
    logic [GroupZW-1:0] grid_z;   // aggregated dimension z
    logic [CtasW-1:0] ctas;       // TBs of the group
    logic [ParamUnitsW-1:0] param;  // parameter address / 64
    logic [LevelW-1:0] level;     // nesting level
  } info_t;
  localparam int InfoW = GroupXW + GroupYW + GroupZW + CtasW + ParamUnitsW + LevelW;

  typedef struct packed {
    ptr_t self;                   // pointer to the group
    info_t info;                  // contents of its AGE
  } group_t;
  localparam int GroupW = PtrW + InfoW;

  typedef struct packed {
    logic [ParamW-1:0] ctx;       // context pointer
    logic [LevelW-1:0] level;     // nesting level
  } saved_t;
  localparam int SavedW = ParamW + LevelW;

  typedef struct packed {
    desc_t desc;                  // descriptor of a waiting device kernel
    need_t need;                  // resources of one TB
    logic [CtasW-1:0] ctas;       // TBs of the grid
    logic [LevelW-1:0] level;     // nesting level of its native TBs
    logic [StreamW-1:0] stream;   // device stream; 0: none
    logic [KinW-1:0] up;          // parent record of the kernel that launched it
    logic [SmxW-1:0] smx;         // the SMX that launched it
  } devk_t;
  localparam int DevkW = DescW + NeedW + CtasW + LevelW + StreamW + KinW + SmxW;

  typedef struct packed {
    logic [MemqPlaceW-1:0] first;  // index of the oldest entry of a queue
    logic [MemqPlaceW-1:0] last;  // index of the youngest entry
  } memqends_t;
  localparam int MemqendsW = MemqPlaceW + MemqPlaceW;

  typedef struct packed {
    logic [0:0] bad;              // the entry was lost while it was written to memory
    logic [MemqSideW-1:0] side;   // data kept on chip for the entry
  } memqside_t;
  localparam int MemqsideW = 1 + MemqSideW;

  typedef struct packed {
    logic [MemqW-1:0] owner;      // queue of the entry being written
    logic [MemqPlaceW-1:0] place;  // index of the entry in the region
    logic [MemqSideW-1:0] side;   // data kept on chip for the entry
  } memqput_t;
  localparam int MemqputW = MemqW + MemqPlaceW + MemqSideW;

  typedef struct packed {
    logic [MemqPlaceW-1:0] place;  // index of the entry being read back
    logic [MemqTagW-1:0] tag;     // tag of the entry
  } memqget_t;
  localparam int MemqgetW = MemqPlaceW + MemqTagW;

  typedef struct packed {
    logic [KdeW-1:0] owner;       // KD entry of the kernel whose list the pointer is written to
    logic [ListPosW-1:0] pos;     // position in the list
    ptr_t ptr;                    // the pointer
  } ovfqwrite_t;
  localparam int OvfqwriteW = KdeW + ListPosW + PtrW;

  typedef struct packed {
    logic [0:0] oflist;           // 1: positions of a list are read; 0: a record
    logic [OvfqArgW-1:0] arg;     // number of positions, or row that receives the record
  } ovfqread_t;
  localparam int OvfqreadW = 1 + OvfqArgW;

  typedef struct packed {
    logic [RingIndexW-1:0] first;  // position of the oldest entry of a ring that is not requested
    logic [RingIndexW-1:0] done;  // position of the first entry that is not written
    logic [RingIndexW-1:0] last;  // position behind the youngest entry
  } ringends_t;
  localparam int RingendsW = RingIndexW + RingIndexW + RingIndexW;

  typedef struct packed {
    logic [RingW-1:0] queue_no;   // queue of a read in flight
    logic [2:0] count;            // entries that it reads
    logic [0:0] bad;              // the write of its entry had failed
  } ringread_t;
  localparam int RingreadW = RingW + 3 + 1;

  typedef struct packed {
    logic [RingW-1:0] queue_no;   // queue of an entry whose write failed
    logic [RingIndexW-1:0] index;  // its position
  } ringbad_t;
  localparam int RingbadW = RingW + RingIndexW;

  typedef struct packed {
    // list position of the first overflowed group that is not handed out
    logic [ListPosW-1:0] first;
    logic [ListCountW-1:0] count;  // groups from that position on
  } memlist_t;
  localparam int MemlistW = ListPosW + ListCountW;

  typedef struct packed {
    logic [0:0] ndone;            // all native TBs have been handed out
    logic [CtasW-1:0] nextbl;     // next TB to hand out of the current unit
    logic [SavW-1:0] sav_first;   // index of the first saved TB in the kernel's saved list, a ring
    logic [SavCountW-1:0] sav_count;  // number of saved TBs
  } progress_t;
  localparam int ProgressW = 1 + CtasW + SavW + SavCountW;

  typedef struct packed {
    logic [0:0] pending;          // the kernel has linked groups
    logic [0:0] chained;          // the first groups have AGEs: nagei to lagei
    logic [AgtW-1:0] nagei;       // next aggregated group with an AGE (0 unless chained)
    logic [AgtW-1:0] lagei;       // last aggregated group with an AGE (0 unless chained)
  } list_t;
  localparam int ListW = 1 + 1 + AgtW + AgtW;

  typedef struct packed {
    logic [0:0] host;             // launched by the host
    logic [TagW-1:0] tag;         // host kernel: tag of its launch
    logic [HwqW-1:0] hwq;         // host kernel: its HWQ
    logic [KinW-1:0] up;          // device kernel: parent record of the kernel that launched it
    logic [StreamW-1:0] stream;   // device kernel: its stream; 0: none
    logic [SmxW-1:0] smx;         // device kernel: the SMX that launched it
    // device kernel: a rest, that is, the bank entries of the suspended kernel whose parent record
    // is up
    logic [0:0] rest;
    // the kernel has failed (memory error, record without TBs, or invalid graph)
    logic [0:0] failed;
  } origin_t;
  localparam int OriginW = 1 + TagW + HwqW + KinW + StreamW + SmxW + 1 + 1;

  typedef struct packed {
    desc_t desc;                  // descriptor of the kernel that the KMU offers to the KD
    need_t need;                  // resources of one TB
    logic [CtasW-1:0] ctas;       // TBs of the grid
    logic [LevelW-1:0] level;     // nesting level of its native TBs; 0: launched by the host
    origin_t origin;              // launch that it came from
    logic [0:0] resumed;          // it is resumed after a suspension
    logic [KinW-1:0] kin;         // its own parent record; 0 unless resumed
    progress_t progress;          // its progress; 0 unless resumed
    list_t groups;                // its list of groups; 0 unless resumed
    // its list in memory, from the first overflowed group on; 0 unless resumed
    memlist_t over;
    // the kernel has a graph: the parameter address is that of the graph's descriptor
    logic [0:0] graph;
  } kernel_t;
  localparam int KernelW = DescW + NeedW + CtasW + LevelW + OriginW + 1 + KinW + ProgressW + ListW +
      MemlistW + 1;

  typedef struct packed {
    logic [0:0] valid;            // a kernel leaves the KD
    origin_t origin;              // origin of a kernel that leaves the KD
    logic [0:0] kin_valid;        // the kernel has a parent record
    logic [KinW-1:0] kin;         // its parent record
  } leave_t;
  localparam int LeaveW = 1 + OriginW + 1 + KinW;

  typedef struct packed {
    logic [TagW-1:0] tag;         // tag of the launch
    // status: the kernel has failed (memory error, record without TBs, or invalid graph)
    logic [0:0] failed;
  } completion_t;
  localparam int CompletionW = TagW + 1;

  typedef struct packed {
    logic [0:0] valid;            // the slot holds a running TB
    logic [KdeW-1:0] kdei;        // KD entry of its kernel
    logic [LevelW-1:0] level;     // nesting level
  } look_t;
  localparam int LookW = 1 + KdeW + LevelW;

  typedef struct packed {
    logic [KdeW-1:0] kdei;        // KD entry of the completed TB's kernel
    logic [0:0] age_valid;        // the TB belongs to a group that has an AGE
    logic [AgeW-1:0] agei;        // AGE of the group
  } retire_t;
  localparam int RetireW = KdeW + 1 + AgeW;

  typedef struct packed {
    logic [KdeW-1:0] kdei;        // KD entry of the kernel of the TB that is handed out
    logic [0:0] group;            // the TB belongs to a group
    logic [0:0] age_valid;        // its group has an AGE
    logic [AgeiW-1:0] agei;       // AGE of the group, or LNA index of the graph node
    logic [LevelW-1:0] level;     // nesting level
    logic [0:0] restart;          // it is a saved TB
    logic [CtasW-1:0] blkid;      // linear TB id
  } cta_t;
  localparam int CtaW = KdeW + 1 + 1 + AgeiW + LevelW + 1 + CtasW;

  typedef struct packed {
    logic [SlotW-1:0] slot;       // TB slot of the SMX
    logic [KdeW-1:0] kdei;        // Kernel Distributor entry
    logic [0:0] group;            // the TB belongs to a group
    logic [0:0] age_valid;        // its group has an AGE: it was linked (policy rr)
    logic [AgeW-1:0] agei;        // AGE of the group
    logic [LevelW-1:0] level;     // nesting level
    logic [0:0] restart;          // it is a saved TB: desc.param is its context pointer
    logic [CtasW-1:0] blkid;      // linear TB id; x runs fastest
    desc_t desc;                  // descriptor
  } dispatch_t;
  localparam int DispatchW = SlotW + KdeW + 1 + 1 + AgeW + LevelW + 1 + CtasW + DescW;

  typedef struct packed {
    unit_e kind;                  // kind of the unit in the SSCR (fields that its kind lacks are 0)
    logic [AgeW-1:0] agei;        // group: its AGE
    logic [LevelW-1:0] level;     // nesting level
    logic [GroupXW-1:0] grid_x;   // group: aggregated dimension x
    logic [GroupYW-1:0] grid_y;   // group: aggregated dimension y
    logic [GroupZW-1:0] grid_z;   // group: aggregated dimension z
    logic [ParamW-1:0] param;     // group: parameter address; saved TB: context pointer
  } sscrunit_t;
  localparam int SscrunitW = UnitW + AgeW + LevelW + GroupXW + GroupYW + GroupZW + ParamW;

  typedef struct packed {
    logic [RingW-1:0] queue_no;   // queue of a group waiting in a ring
    logic [KdeW-1:0] kdei;        // KD entry of its kernel
    info_t info;                  // the group
  } spillgroup_t;
  localparam int SpillgroupW = RingW + KdeW + InfoW;

  typedef struct packed {
    // enum hd_unit: Native, the native part of a device kernel, or Group
    unit_e kind;
    logic [KdeW-1:0] kdei;        // KD entry of its kernel
    logic [GroupXW-1:0] grid_x;   // group: aggregated dimension x (0 for a native part)
    logic [GroupYW-1:0] grid_y;   // group: aggregated dimension y (0 for a native part)
    logic [GroupZW-1:0] grid_z;   // group: aggregated dimension z (0 for a native part)
    logic [ParamUnitsW-1:0] param;  // group: parameter address / 64 (0 for a native part)
    logic [CtasW-1:0] ctas;       // number of TBs (1 or more)
    logic [ArrivalW-1:0] arrival;  // arrival number within its level
    logic [LevelW-1:0] level;     // priority level
  } pqentry_t;
  localparam int PqentryW = UnitW + KdeW + GroupXW + GroupYW + GroupZW + ParamUnitsW + CtasW +
      ArrivalW + LevelW;

  typedef struct packed {
    logic [AddrW-1:0] nodes;      // address of the node array (a multiple of 128)
    logic [AddrW-1:0] edges;      // address of the edge array (a multiple of 128)
    logic [AddrW-1:0] ids;        // address of the TB ids (a multiple of 128)
    logic [AddrW-1:0] early;      // address of the early updates (a multiple of 128)
    logic [15:0] node_count;      // number of nodes (1 or more)
    logic [31:0] edge_count;      // number of edges
    gpolicy_e policy;             // enum hd_gpolicy
    // levels that a node may be above the oldest node that is not done
    logic [15:0] bound;
  } dgbstart_t;
  localparam int DgbstartW = AddrW + AddrW + AddrW + AddrW + 16 + 32 + GpolicyW + 16;

  typedef struct packed {
    gcode_e code;                 // enum hd_gcode
    logic [15:0] vid;             // node at which the graph ended (0 if fine)
  } dgbend_t;
  localparam int DgbendW = GcodeW + 16;

  typedef struct packed {
    logic [LnaW-1:0] index;       // LNA index of the node
    logic [15:0] cta;             // linear TB id
    logic [15:0] level;           // level of the node in the graph
  } dgbnode_t;
  localparam int DgbnodeW = LnaW + 16 + 16;

  typedef struct packed {
    logic [ChanW-1:0] chan;       // channel to configure
    logic [ChanCapW-1:0] cap;     // log2 of the capacity in elements
    logic [ChanLevelW-1:0] level;  // level: the deepest goes first
    logic [0:0] levelized;        // elements wait until every deeper level is empty
    logic [LanesW-1:0] threshold;  // predicate: elements that make a wavefront (1 to WaveLanes)
    logic [ChanBaseW-1:0] control;  // address of the control array / 128
    logic [ChanBaseW-1:0] done;   // address of the done counts / 128
  } chanset_t;
  localparam int ChansetW = ChanW + ChanCapW + ChanLevelW + 1 + LanesW + ChanBaseW + ChanBaseW;

  typedef struct packed {
    chop_e kind;                  // enum hd_chop
    logic [ChanW-1:0] chan;       // channel
    logic [ChanPosW-1:0] off;     // offset of the first element (enq, tfree)
    logic [ChanPosW-1:0] n;       // number of elements
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
    logic [CuW-1:0] cu;           // CU of a yielding wavefront
    logic [WaveW-1:0] slot;       // slot of the wavefront
    logic [ChanW-1:0] chan;       // channel that it waits for
    logic [ChanPosW-1:0] n;       // number of elements that it waits for
    logic [ParamW-1:0] ctx;       // context pointer
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
    logic [ChanW-1:0] chan;       // channel of a run of completed elements
    logic [ChanPosW-1:0] off;     // offset of the first element
    logic [ChanPosW-1:0] n;       // number of elements
  } donerun_t;
  localparam int DonerunW = ChanW + ChanPosW + ChanPosW;

  typedef struct packed {
    logic [63:0] hi;              // done counts 15 to 8 of a beat
    logic [63:0] lo;              // done counts 7 to 0
  } donerow_t;
  localparam int DonerowW = 64 + 64;

  typedef struct packed {
    logic [ChanW-1:0] chan;       // channel whose elements were reserved or are done
    logic [ChanPosW-1:0] n;       // number of elements
    logic [0:0] done;             // 1: the elements are done; 0: reserved
  } chanlive_t;
  localparam int ChanliveW = ChanW + ChanPosW + 1;

  typedef struct packed {
    logic [CuW-1:0] cu;           // CU of a waiting wavefront
    logic [ChanW-1:0] own;        // channel whose elements it has
    logic [ChanW-1:0] chan;       // channel that it waits for
    logic [ChanPosW-1:0] n;       // number of elements that it waits for
    logic [ParamW-1:0] ctx;       // context pointer
  } chanwait_t;
  localparam int ChanwaitW = CuW + ChanW + ChanW + ChanPosW + ParamW;

  typedef struct packed {
    logic [CuW-1:0] cu;           // CU of a wavefront that can restart
    logic [ChanW-1:0] own;        // channel whose elements it has
    logic [ChanW-1:0] chan;       // channel that it waited for
    logic [ChanPosW-1:0] base;    // offset of the elements that it gets
    chcode_e code;                // enum hd_chcode
    logic [ParamW-1:0] ctx;       // context pointer
  } chanback_t;
  localparam int ChanbackW = CuW + ChanW + ChanW + ChanPosW + ChcodeW + ParamW;

  typedef struct packed {
    logic [0:0] restart;          // 1: a wavefront restarts; 0: it starts
    logic [ChanW-1:0] own;        // channel whose elements it has
    logic [ChanPosW-1:0] start;   // first of its control array positions
    logic [LanesW-1:0] count;     // number of these positions
    logic [CuW-1:0] cu;           // CU of the wavefront
    logic [WaveW-1:0] slot;       // slot of the wavefront
    logic [ChanW-1:0] chan;       // channel that it waited for (restart)
    logic [ChanPosW-1:0] base;    // offset of the elements that it gets (restart)
    chcode_e code;                // enum hd_chcode (restart)
    logic [ParamW-1:0] ctx;       // context pointer (restart)
  } chango_t;
  localparam int ChangoW = 1 + ChanW + ChanPosW + LanesW + CuW + WaveW + ChanW + ChanPosW + ChcodeW
      + ParamW;

  typedef struct packed {
    logic [ChanW-1:0] chan;       // channel whose elements the wavefront has
  } chanown_t;
  localparam int ChanownW = ChanW;

  typedef struct packed {
    logic [CuW-1:0] cu;           // CU of a waiting wavefront
    logic [ChanW-1:0] own;        // channel whose elements it has
    logic [ChanPosW-1:0] n;       // number of elements that it waits for
    logic [ParamW-1:0] ctx;       // context pointer
  } chanrec_t;
  localparam int ChanrecW = CuW + ChanW + ChanPosW + ParamW;

  typedef struct packed {
    logic [0:0] valid;            // a burst is requested
    memreq_t req;                 // the burst
    membeat_t wbeat;              // the next write beat of the accepted write burst
  } memup_t;
  localparam int MemupW = 1 + MemreqW + MembeatW;

  typedef struct packed {
    logic [0:0] ready;            // the requested burst is accepted at the end of this cycle
    logic [0:0] take;             // the write beat is accepted at the end of this cycle
    logic [0:0] b_valid;          // a write burst has completed
    logic [0:0] b_error;          // with b_valid: it ended with an error
    logic [0:0] r_valid;          // a read beat arrives
    memdata_t r;                  // the beat
  } memdown_t;
  localparam int MemdownW = 1 + 1 + 1 + 1 + 1 + MemdataW;

  typedef struct packed {
    logic [0:0] valid;            // a kernel is offered
    kernel_t kernel;              // the kernel
  } offer_t;
  localparam int OfferW = 1 + KernelW;

  typedef struct packed {
    logic [0:0] valid;            // a KD entry is named
    logic [KdeW-1:0] kdei;        // its number
  } entry_t;
  localparam int EntryW = 1 + KdeW;

  typedef struct packed {
    logic [0:0] valid;            // a parent record is named
    logic [KinW-1:0] kin;         // its number
  } parent_t;
  localparam int ParentW = 1 + KinW;

  typedef struct packed {
    logic [0:0] valid;            // a TB from a bank is handed out in this cycle
    logic [BankW-1:0] bank;       // its bank (0 if none)
    logic [0:0] spare;            // the TB came from a spare offer
    logic [KdeW-1:0] kdei;        // KD entry of the TB's kernel (0 if none)
    logic [0:0] last;             // it is the last TB of its entry
  } take_t;
  localparam int TakeW = 1 + BankW + 1 + KdeW + 1;

  typedef struct packed {
    logic [0:0] valid;            // a TB of the kernel in the SSCR is handed out in this cycle
    // the SMX that receives the TB, from the SSCR, a bank or the graph
    logic [SmxW-1:0] smx;
    unit_e kind;                  // enum hd_unit: kind of the unit in the SSCR (0 if none)
    // nesting level of the unit in the SSCR (0 if none, and while the graph goes first)
    logic [LevelW-1:0] level;
    logic [0:0] unit_end;         // the granted TB is the last of its unit
  } grant_t;
  localparam int GrantW = 1 + SmxW + UnitW + LevelW + 1;

  typedef struct packed {
    logic [0:0] blocked;          // a TB is left to hand out and no SMX accepts it in this cycle
    // the kernel in the SSCR has no unit: it waits for a group or a saved TB
    logic [0:0] waiting;
    logic [0:0] slot_wait;        // the SSCR waits for an overflow slot
  } schedev_t;
  localparam int SchedevW = 1 + 1 + 1;

  typedef struct packed {
    logic [0:0] load;             // the next group becomes the unit in the SSCR
    ptr_t ptr;                    // the group
    logic [0:0] grant;            // a TB of a group is handed out
    logic [0:0] last;             // it is the last TB of its group
    logic [0:0] park;             // the kernel in the SSCR stops within that group
  } hand_t;
  localparam int HandW = 1 + PtrW + 1 + 1 + 1;

  typedef struct packed {
    logic [0:0] valid;            // the kernel in the SSCR stops within its native part or a group
    logic [CtasW-1:0] nextbl;     // next TB of that unit
  } park_t;
  localparam int ParkW = 1 + CtasW;

  typedef struct packed {
    // a completed TB was dequeued from its done FIFO in the previous cycle
    logic [0:0] valid;
    retire_t tb;                  // the TB
  } retired_t;
  localparam int RetiredW = 1 + RetireW;

  typedef struct packed {
    logic [0:0] wait_bank;        // the kernel has to wait: its bank accepts a group in this cycle
    logic [0:0] bank;             // its native part enters its bank
    logic [0:0] mark;             // its remaining part is to be marked (FCFS)
  } enter_t;
  localparam int EnterW = 1 + 1 + 1;

  typedef struct packed {
    // an entry would be the winner once the current winner has left (ChoiceLatency 2; else 0)
    logic [0:0] valid;
    need_t need;                  // resources that one TB of that entry needs
  } then_t;
  localparam int ThenW = 1 + NeedW;

  typedef struct packed {
    logic [0:0] valid;            // a group is offered
    logic [BankW-1:0] bank;       // its bank
    logic [KdeW-1:0] kdei;        // KD entry of its kernel
    info_t info;                  // the group
  } bankgroup_t;
  localparam int BankgroupW = 1 + BankW + KdeW + InfoW;

  typedef struct packed {
    logic [0:0] valid;            // a TB of the graph is ready to be handed out
    logic [LnaW-1:0] index;       // LNA index of its node
    logic [CtasW-1:0] cta;        // linear id of the TB
    logic [0:0] wants;            // the TB, now or once it is ready, prefers one SMX (lvl-bind)
    logic [SmxW-1:0] smx;         // the preferred SMX
  } graphtb_t;
  localparam int GraphtbW = 1 + LnaW + CtasW + 1 + SmxW;

  typedef struct packed {
    logic [0:0] valid;            // the TBs of one KD entry are graph nodes
    logic [KdeW-1:0] kdei;        // its KD entry
    need_t need;                  // resources that each of these TBs needs
  } run_t;
  localparam int RunW = 1 + KdeW + NeedW;

  typedef struct packed {
    logic [0:0] valid;            // the graph has ended
    logic [KdeW-1:0] kdei;        // KD entry of its kernel
    dgbend_t result;              // how the graph ended: code and node
  } over_t;
  localparam int OverW = 1 + KdeW + DgbendW;

  typedef struct packed {
    // a next node exists, though it may be too many levels above the oldest
    logic [0:0] valid;
    logic [DgbSmxW-1:0] smx;      // SMX of the parent that updated it last; NumSmx: unknown
  } wish_t;
  localparam int WishW = 1 + DgbSmxW;

  typedef struct packed {
    logic [0:0] pub;              // an update was written to the PUB in the previous cycle
    // an update was written to the early-update array in memory in the previous cycle
    logic [0:0] early;
    // a node with more edges than the LEA holds entered the window in the previous cycle
    logic [0:0] big;
  } dgbev_t;
  localparam int DgbevW = 1 + 1 + 1;

  typedef struct packed {
    logic [0:0] valid;            // A1 holds a group whose kernel is searched for
    key_t key;                    // attributes that its kernel must match
    // A1 holds the first beat of a turn: the cached result of earlier beats is discarded
    logic [0:0] first;
  } find_t;
  localparam int FindW = 1 + KeyW + 1;

  typedef struct packed {
    logic [SmxW-1:0] smx;         // SMX of the slot to look up: that of the TB in A1
    logic [SlotW-1:0] slot;       // TB slot to look up
  } lookup_t;
  localparam int LookupW = SmxW + SlotW;

  typedef struct packed {
    logic [0:0] valid;            // A2 holds a group to be linked or queued
    logic [KdeW-1:0] kdei;        // KD entry of its kernel
    logic [SmxW-1:0] smx;         // the SMX that launched it
    logic [HwtidW-1:0] hwtid;     // hardware thread index, in its SMX, of the lane that launched it
    logic [RecW-1:0] record;      // number of its record
    info_t info;                  // contents of its AGE
  } a2group_t;
  localparam int A2groupW = 1 + KdeW + SmxW + HwtidW + RecW + InfoW;

  typedef struct packed {
    logic [0:0] valid;            // a device kernel is offered
    devk_t kernel;                // the kernel
  } devoffer_t;
  localparam int DevofferW = 1 + DevkW;

  typedef struct packed {
    logic [0:0] valid;            // A3: a kernel gets a child
    logic [KdeW-1:0] kdei;        // KD entry of the parent
    logic [KinW-1:0] kin;         // parent record of the parent
    logic [0:0] alloc;            // that parent record is newly allocated
  } birth_t;
  localparam int BirthW = 1 + KdeW + KinW + 1;

  typedef struct packed {
    logic [0:0] valid;            // A3: a TB is saved
    logic [KdeW-1:0] kdei;        // KD entry of its kernel
    logic [KinW-1:0] kin;         // parent record of that kernel
    logic [SavW-1:0] pos;         // position in the saved list
    saved_t tb;                   // the saved TB
  } save_t;
  localparam int SaveW = 1 + KdeW + KinW + SavW + SavedW;

  typedef struct packed {
    logic [0:0] valid;            // combinational: the search ends in this cycle
    logic [0:0] hit;              // the search found an eligible kernel
    logic [KdeW-1:0] kdei;        // its KD entry
  } found_t;
  localparam int FoundW = 1 + 1 + KdeW;

  typedef struct packed {
    logic [0:0] searched;         // a search ended in the previous cycle
    logic [0:0] compared;         // the search examined entries in the previous cycle
  } matchev_t;
  localparam int MatchevW = 1 + 1;

  typedef struct packed {
    logic [0:0] valid;            // an AGT entry is named
    logic [AgtW-1:0] index;       // its number
  } ageref_t;
  localparam int AgerefW = 1 + AgtW;

  typedef struct packed {
    logic [0:0] valid;            // A3: a group is linked
    logic [KdeW-1:0] kdei;        // KD entry of its kernel
    ptr_t ptr;                    // the group
    logic [0:0] over;             // the group is appended to the list in memory (ovfq)
    logic [0:0] next;             // the group is chained behind the AGE link_prev (agt)
    logic [AgtW-1:0] prev;        // previous last AGE of the chain (0 unless link_next)
  } linked_t;
  localparam int LinkedW = 1 + KdeW + PtrW + 1 + 1 + AgtW;

  typedef struct packed {
    logic [0:0] valid;            // a group is offered
    logic [KdeW-1:0] kdei;        // KD entry of its kernel
    group_t group;                // the group
  } grouphead_t;
  localparam int GroupheadW = 1 + KdeW + GroupW;

  typedef struct packed {
    logic [0:0] valid;            // an overflow slot is free
    logic [OvfW-1:0] slot;        // the lowest free overflow slot (0 if none)
  } freeslot_t;
  localparam int FreeslotW = 1 + OvfW;

  typedef struct packed {
    logic [0:0] valid;            // a device kernel completed in the previous cycle
    logic [StreamW-1:0] stream;   // its stream
  } streamend_t;
  localparam int StreamendW = 1 + StreamW;

  typedef struct packed {
    logic [0:0] ready;            // the pool can accept a kernel
    logic [0:0] two;              // the pool can accept two kernels
    logic [0:0] full;             // the pool could store no further kernel
  } poolroom_t;
  localparam int PoolroomW = 1 + 1 + 1;

  typedef struct packed {
    logic [0:0] valid;            // a device kernel was lost to a memory error
    logic [KinW-1:0] up;          // parent record of the kernel that launched it
    logic [StreamW-1:0] stream;   // its stream
  } lost_t;
  localparam int LostW = 1 + KinW + StreamW;

  typedef struct packed {
    logic [0:0] spill;            // a kernel was written to memory in the previous cycle
    logic [0:0] refill;           // a kernel was read back in the previous cycle
    logic [0:0] error;            // memory error: status bit MEM_POOL
  } poolev_t;
  localparam int PoolevW = 1 + 1 + 1;

  typedef struct packed {
    // a kernel's record has been written to memory, or was lost to an error
    logic [0:0] valid;
    logic [KinW-1:0] kin;         // its parent record
    origin_t origin;              // its origin
  } suspended_t;
  localparam int SuspendedW = 1 + KinW + OriginW;

  typedef struct packed {
    logic [0:0] valid;            // a suspended kernel fails
    logic [KinW-1:0] kin;         // its parent record
    logic [0:0] back;             // it fails because its record could not be read back
  } kinfail_t;
  localparam int KinfailW = 1 + KinW + 1;

  typedef struct packed {
    logic [0:0] valid;            // the next saved TB of the kernel is available
    logic [KdeW-1:0] kdei;        // KD entry of the kernel
    saved_t tb;                   // the saved TB
  } savedtb_t;
  localparam int SavedtbW = 1 + KdeW + SavedW;

  typedef struct packed {
    logic [0:0] suspend;          // a kernel's record was written in the previous cycle
    logic [0:0] resume;           // a kernel's record was read back in the previous cycle
    logic [0:0] error;            // memory error: status bit MEM_SUSPEND
  } suspev_t;
  localparam int SuspevW = 1 + 1 + 1;

  typedef struct packed {
    // k: contention counts as higher if it exceeds the last by more than 1/2^k (0: by any amount;
    // more than 7 counts as 7)
    logic [31:0] throttle_band;
    // minimum cycles between two samples of the throttle (less than 64 counts as 64, more than
    // 65535 as 65535)
    logic [31:0] throttle_epoch;
    logic [0:0] throttle;         // {fields}
    // size of that region in entries of 32 bytes (up to RingQueues * 2^RingPosW; 0 or too few for a
    // ring of each bank and level: a group whose bank is full is refused)
    logic [31:0] spill_count;
    logic [31:0] spill_base;      // groups that wait for their bank: address / 256
    // policy of the SMX scheduler, {policy}; takes effect in the next cycle
    policy_e policy;
    // lists of overflowed groups: address / 256; layout in docs/launch/ovfq.md
    logic [31:0] list_base;
    // number of suspension records: saves of a kernel with a higher parent record are refused
    logic [31:0] sus_count;
    // suspension records: address / 256; record r is at SUS_BASE * 256 + SusStride * r
    logic [31:0] sus_base;
    // size of that ring in entries of 128 bytes (at most PoolRows are used; 0: none)
    logic [31:0] dev_count;
    logic [31:0] dev_base;        // ring of device kernels in memory: address / 256
    // number of records: a higher record number exceeds a limit (0: no groups)
    logic [31:0] rec_count;
    // records of groups: address / 256; record n is at REC_BASE * 256 + 64 * n
    logic [31:0] rec_base;
  } settings_t;
  localparam int SettingsW = 32 + 32 + 1 + 32 + 32 + PolicyW + 32 + 32 + 32 + 32 + 32 + 32 + 32;

  // The register map: constants from offset 0 on, reset values of the configuration words.
  // `32'd0 |`: Verilator 5.006 takes a parameter alone as unsized.
  localparam logic [287:0] RegConsts = {
    32'd0 | (HasLaunch * NumKin | HasLaunch * PoolRows << 16),
    32'd0 | (HasGroups * AgtSize | HasGroups * OvfSlots << 16),
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

  // Which configuration words and counters are in the map.
  localparam logic [12:0] ConfigHas = {
    HasThrottle != 0, HasThrottle != 0, HasThrottle != 0, HasBanks != 0, HasBanks != 0, HasBanks !=
    0, HasGroups != 0, HasLaunch != 0, HasLaunch != 0, HasLaunch != 0, HasLaunch != 0, HasGroups !=
    0, HasGroups != 0
  };
  localparam logic [38:0] CounterHas = {
    HasGraph != 0, HasGraph != 0, HasGraph != 0, HasGraph != 0, HasBanks != 0, HasBanks != 0,
    HasBanks != 0, 1'b1, HasLaunch != 0, HasLaunch != 0, HasLaunch != 0, HasLaunch != 0, HasGroups
    != 0, HasGroups != 0, HasLaunch != 0, HasGroups != 0, HasGroups != 0, HasGroups != 0, HasLaunch
    != 0, HasLaunch != 0, HasLaunch != 0, HasGroups != 0, HasGroups != 0, HasGroups != 0, HasLaunch
    != 0, 1'b1, 1'b1, 1'b1, 1'b1, 1'b1, 1'b1, 1'b1, 1'b1, 1'b1, 1'b1, 1'b1, 1'b1, 1'b1, 1'b1
  };

endpackage
