// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_limits: checks the limits of the parameters while the RTL is elaborated. No logic.
//
// Made from rtl/pkg/limits.csv by `python3 rtl/hdgen rtl`: do not edit. Verilator prints the
// message; Yosys stops at its line.
module hd_limits;

  // As in the tables: returns at least 1.
  function automatic int clog2(input int n);
    clog2 = n > 2 ? $clog2(n) : 1;
  endfunction

  if (!(hd_pkg::NumSmx >= 1
      && hd_pkg::NumSmx <= 132)) begin : g_0
    $fatal(1, "NumSmx=%0d: 1 to 132 is accepted",
        hd_pkg::NumSmx);
  end

  if (!(hd_pkg::SmxPerCluster >= 1
      && hd_pkg::SmxPerCluster <= hd_pkg::NumSmx)) begin : g_1
    $fatal(1, "SmxPerCluster=%0d: 1 to %0d is accepted",
        hd_pkg::SmxPerCluster,
        hd_pkg::NumSmx);
  end

  if (!(hd_pkg::CtasPerSmx >= 1
      && hd_pkg::CtasPerSmx <= 32)) begin : g_2
    $fatal(1, "CtasPerSmx=%0d: 1 to 32 is accepted",
        hd_pkg::CtasPerSmx);
  end

  if (!(hd_pkg::ThreadsPerSmx % 32 == 0
      && hd_pkg::ThreadsPerSmx >= 32
      && hd_pkg::ThreadsPerSmx <= 2048)) begin : g_3
    $fatal(1, "ThreadsPerSmx=%0d: a multiple of 32 from 32 to 2048 is accepted",
        hd_pkg::ThreadsPerSmx);
  end

  if (!(hd_pkg::RegUnit == 64
      || hd_pkg::RegUnit == 256)) begin : g_4
    $fatal(1, "RegUnit=%0d: 64 or 256 is accepted",
        hd_pkg::RegUnit);
  end

  if (!(hd_pkg::RegsPerSmx % hd_pkg::RegUnit == 0
      && hd_pkg::RegsPerSmx >= hd_pkg::RegUnit
      && hd_pkg::RegsPerSmx <= 65535 * hd_pkg::RegUnit)) begin : g_5
    $fatal(1, "RegsPerSmx=%0d: a multiple of %0d from %0d to %0d is accepted",
        hd_pkg::RegsPerSmx,
        hd_pkg::RegUnit,
        hd_pkg::RegUnit,
        65535 * hd_pkg::RegUnit);
  end

  if (!(hd_pkg::NumKde >= 1
      && hd_pkg::NumKde <= 128)) begin : g_6
    $fatal(1, "NumKde=%0d: 1 to 128 is accepted",
        hd_pkg::NumKde);
  end

  if (!(hd_pkg::NumHwq >= 1
      && hd_pkg::NumHwq <= 128)) begin : g_7
    $fatal(1, "NumHwq=%0d: 1 to 128 is accepted",
        hd_pkg::NumHwq);
  end

  if (!(hd_pkg::HwqDepth == 2
      || hd_pkg::HwqDepth == 4
      || hd_pkg::HwqDepth == 8)) begin : g_8
    $fatal(1, "HwqDepth=%0d: 2, 4 or 8 is accepted",
        hd_pkg::HwqDepth);
  end

  if (!(hd_pkg::HwqDepth >= 2
      && hd_pkg::HwqDepth <= 512 / hd_pkg::NumHwq)) begin : g_9
    $fatal(1, "HwqDepth=%0d: 2 to %0d is accepted",
        hd_pkg::HwqDepth,
        512 / hd_pkg::NumHwq);
  end

  if (!(hd_pkg::Visit <= 1)) begin : g_10
    $fatal(1, "Visit=%0d: 0 to 1 is accepted",
        hd_pkg::Visit);
  end

  if (!(hd_pkg::ChoiceLatency >= 1
      && hd_pkg::ChoiceLatency <= 2)) begin : g_11
    $fatal(1, "ChoiceLatency=%0d: 1 to 2 is accepted",
        hd_pkg::ChoiceLatency);
  end

  if (!(hd_pkg::DoneSlack >= 1
      && hd_pkg::DoneSlack <= 36 - hd_pkg::CtasPerSmx)) begin : g_12
    $fatal(1, "DoneSlack=%0d: 1 to %0d is accepted",
        hd_pkg::DoneSlack,
        36 - hd_pkg::CtasPerSmx);
  end

  if (!(hd_pkg::AgtSize == 1 << clog2(hd_pkg::AgtSize)
      && hd_pkg::AgtSize <= 4096)) begin : g_13
    $fatal(1, "AgtSize=%0d: a power of two from 2 to 4096 is accepted",
        hd_pkg::AgtSize);
  end

  if (!(hd_pkg::AgtHash <= 2)) begin : g_14
    $fatal(1, "AgtHash=%0d: 0 to 2 is accepted",
        hd_pkg::AgtHash);
  end

  if (!(hd_pkg::OvfSlots >= 2
      && hd_pkg::OvfSlots <= 4225)) begin : g_15
    $fatal(1, "OvfSlots=%0d: 2 to 4225 is accepted",
        hd_pkg::OvfSlots);
  end

  if (!(hd_pkg::KdeSearchLanes >= 1
      && hd_pkg::KdeSearchLanes <= 128)) begin : g_16
    $fatal(1, "KdeSearchLanes=%0d: 1 to 128 is accepted",
        hd_pkg::KdeSearchLanes);
  end

  if (!(hd_pkg::PrefetchDepth <= 56)) begin : g_17
    $fatal(1, "PrefetchDepth=%0d: 0 to 56 is accepted",
        hd_pkg::PrefetchDepth);
  end

  if (!(hd_pkg::ListPosW >= clog2(hd_pkg::AgtSize) + 1
      && hd_pkg::ListPosW <= 24)) begin : g_18
    $fatal(1, "ListPosW=%0d: %0d to 24 is accepted",
        hd_pkg::ListPosW,
        clog2(hd_pkg::AgtSize) + 1);
  end

  if (!(hd_pkg::ListPosW >= 7
      && hd_pkg::ListPosW <= 24)) begin : g_19
    $fatal(1, "ListPosW=%0d: 7 to 24 is accepted",
        hd_pkg::ListPosW);
  end

  if (!(hd_pkg::FairEvery <= 65535)) begin : g_20
    $fatal(1, "FairEvery=%0d: 0 to 65535 is accepted",
        hd_pkg::FairEvery);
  end

  if (!(hd_pkg::MaxLevel >= 1
      && hd_pkg::MaxLevel <= 16)) begin : g_21
    $fatal(1, "MaxLevel=%0d: 1 to 16 is accepted",
        hd_pkg::MaxLevel);
  end

  if (!(hd_pkg::HasLaunch <= 1)) begin : g_22
    $fatal(1, "HasLaunch=%0d: 0 to 1 is accepted",
        hd_pkg::HasLaunch);
  end

  if (!(hd_pkg::HasGroups <= 1)) begin : g_23
    $fatal(1, "HasGroups=%0d: 0 to 1 is accepted",
        hd_pkg::HasGroups);
  end

  if (!(hd_pkg::HasGroups <= hd_pkg::HasLaunch)) begin : g_24
    $fatal(1, "HasGroups=%0d: 0 with HasLaunch=0 is accepted",
        hd_pkg::HasGroups);
  end

  if (!(hd_pkg::HasBanks <= 1)) begin : g_25
    $fatal(1, "HasBanks=%0d: 0 to 1 is accepted",
        hd_pkg::HasBanks);
  end

  if (!(hd_pkg::HasBanks <= hd_pkg::HasLaunch)) begin : g_26
    $fatal(1, "HasBanks=%0d: 0 with HasLaunch=0 is accepted",
        hd_pkg::HasBanks);
  end

  if (!(hd_pkg::PqDepth >= 2
      && hd_pkg::PqDepth <= 128)) begin : g_27
    $fatal(1, "PqDepth=%0d: 2 to 128 is accepted",
        hd_pkg::PqDepth);
  end

  if (!(hd_pkg::SpillDepth >= 3
      && hd_pkg::SpillDepth <= 16)) begin : g_28
    $fatal(1, "SpillDepth=%0d: 3 to 16 is accepted",
        hd_pkg::SpillDepth);
  end

  if (!(hd_pkg::SpillFlight >= 2
      && hd_pkg::SpillFlight <= 64)) begin : g_29
    $fatal(1, "SpillFlight=%0d: 2 to 64 is accepted",
        hd_pkg::SpillFlight);
  end

  if (!(hd_pkg::RingPosW >= hd_pkg::RingOrderMin + 1
      && hd_pkg::RingPosW <= 30 - hd_pkg::RingW)) begin : g_30
    $fatal(1, "RingPosW=%0d: %0d to %0d is accepted",
        hd_pkg::RingPosW,
        hd_pkg::RingOrderMin + 1,
        30 - hd_pkg::RingW);
  end

  if (!(hd_pkg::ArrivalW >= 2
      && hd_pkg::ArrivalW <= 32)) begin : g_31
    $fatal(1, "ArrivalW=%0d: 2 to 32 is accepted",
        hd_pkg::ArrivalW);
  end

  if (!(hd_pkg::NumKin >= 1
      && hd_pkg::NumKin <= 512)) begin : g_32
    $fatal(1, "NumKin=%0d: 1 to 512 is accepted",
        hd_pkg::NumKin);
  end

  if (!(hd_pkg::NumStreams >= 2
      && hd_pkg::NumStreams <= 32)) begin : g_33
    $fatal(1, "NumStreams=%0d: 2 to 32 is accepted",
        hd_pkg::NumStreams);
  end

  if (!(hd_pkg::PoolDepth >= 2
      && hd_pkg::PoolDepth <= 32)) begin : g_34
    $fatal(1, "PoolDepth=%0d: 2 to 32 is accepted",
        hd_pkg::PoolDepth);
  end

  if (!(hd_pkg::PoolRows >= 2
      && hd_pkg::PoolRows <= 2048)) begin : g_35
    $fatal(1, "PoolRows=%0d: 2 to 2048 is accepted",
        hd_pkg::PoolRows);
  end

  if (!(hd_pkg::AnsDepth >= 4
      && hd_pkg::AnsDepth <= 8)) begin : g_36
    $fatal(1, "AnsDepth=%0d: 4 to 8 is accepted",
        hd_pkg::AnsDepth);
  end

  if (!(hd_pkg::HasGraph <= 1)) begin : g_37
    $fatal(1, "HasGraph=%0d: 0 to 1 is accepted",
        hd_pkg::HasGraph);
  end

  if (!(hd_pkg::Lna == 1 << clog2(hd_pkg::Lna)
      && hd_pkg::Lna >= 4
      && hd_pkg::Lna <= 4096)) begin : g_38
    $fatal(1, "Lna=%0d: a power of two from 4 to 4096 is accepted",
        hd_pkg::Lna);
  end

  if (!(hd_pkg::Lea == 1 << clog2(hd_pkg::Lea)
      && hd_pkg::Lea >= 16
      && hd_pkg::Lea <= 16384)) begin : g_39
    $fatal(1, "Lea=%0d: a power of two from 16 to 16384 is accepted",
        hd_pkg::Lea);
  end

  if (!(hd_pkg::Pub >= 2
      && hd_pkg::Pub <= 256)) begin : g_40
    $fatal(1, "Pub=%0d: 2 to 256 is accepted",
        hd_pkg::Pub);
  end

  if (!(hd_pkg::ChildLanes == 1
      || hd_pkg::ChildLanes == 2
      || hd_pkg::ChildLanes == 4)) begin : g_41
    $fatal(1, "ChildLanes=%0d: 1, 2 or 4 is accepted",
        hd_pkg::ChildLanes);
  end

  if (!(hd_pkg::DgbFlight >= 2
      && hd_pkg::DgbFlight <= 64)) begin : g_42
    $fatal(1, "DgbFlight=%0d: 2 to 64 is accepted",
        hd_pkg::DgbFlight);
  end

  if (!(hd_pkg::DgbQuiet >= 16
      && hd_pkg::DgbQuiet <= 65536)) begin : g_43
    $fatal(1, "DgbQuiet=%0d: 16 to 65536 is accepted",
        hd_pkg::DgbQuiet);
  end

  if (!(hd_pkg::DgbPaper <= 1)) begin : g_44
    $fatal(1, "DgbPaper=%0d: 0 to 1 is accepted",
        hd_pkg::DgbPaper);
  end

  if (!(hd_pkg::HasThrottle <= 1)) begin : g_45
    $fatal(1, "HasThrottle=%0d: 0 to 1 is accepted",
        hd_pkg::HasThrottle);
  end

  if (!(hd_pkg::Epoch >= 64
      && hd_pkg::Epoch <= 65535)) begin : g_46
    $fatal(1, "Epoch=%0d: 64 to 65535 is accepted",
        hd_pkg::Epoch);
  end

  if (!(hd_pkg::DeadBand <= 7)) begin : g_47
    $fatal(1, "DeadBand=%0d: 0 to 7 is accepted",
        hd_pkg::DeadBand);
  end

  if (!(hd_pkg::Recovers <= 1)) begin : g_48
    $fatal(1, "Recovers=%0d: 0 to 1 is accepted",
        hd_pkg::Recovers);
  end

  if (!(hd_pkg::EqualHolds <= 1)) begin : g_49
    $fatal(1, "EqualHolds=%0d: 0 to 1 is accepted",
        hd_pkg::EqualHolds);
  end

  if (!(hd_pkg::StallW >= 2
      && hd_pkg::StallW <= 16)) begin : g_50
    $fatal(1, "StallW=%0d: 2 to 16 is accepted",
        hd_pkg::StallW);
  end

  if (!(hd_pkg::WarpWait >= 2
      && hd_pkg::WarpWait <= 65535)) begin : g_51
    $fatal(1, "WarpWait=%0d: 2 to 65535 is accepted",
        hd_pkg::WarpWait);
  end

  if (!(hd_pkg::NumCu >= 1
      && hd_pkg::NumCu <= 32)) begin : g_52
    $fatal(1, "NumCu=%0d: 1 to 32 is accepted",
        hd_pkg::NumCu);
  end

  if (!(hd_pkg::WavesPerCu >= 2
      && hd_pkg::WavesPerCu <= 64)) begin : g_53
    $fatal(1, "WavesPerCu=%0d: 2 to 64 is accepted",
        hd_pkg::WavesPerCu);
  end

  if (!(hd_pkg::WaveLanes == 1 << clog2(hd_pkg::WaveLanes)
      && hd_pkg::WaveLanes >= 2
      && hd_pkg::WaveLanes <= 64)) begin : g_54
    $fatal(1, "WaveLanes=%0d: a power of two from 2 to 64 is accepted",
        hd_pkg::WaveLanes);
  end

  if (!(hd_pkg::NumChan >= 2
      && hd_pkg::NumChan <= 64)) begin : g_55
    $fatal(1, "NumChan=%0d: 2 to 64 is accepted",
        hd_pkg::NumChan);
  end

  if (!(hd_pkg::DoneGrain == 1 << clog2(hd_pkg::DoneGrain)
      && hd_pkg::DoneGrain >= 4
      && hd_pkg::DoneGrain <= 128)) begin : g_56
    $fatal(1, "DoneGrain=%0d: a power of two from 4 to 128 is accepted",
        hd_pkg::DoneGrain);
  end

  if (!(hd_pkg::ChanCap >= clog2(hd_pkg::DoneGrain)
      && hd_pkg::ChanCap <= 15)) begin : g_57
    $fatal(1, "ChanCap=%0d: %0d to 15 is accepted",
        hd_pkg::ChanCap,
        clog2(hd_pkg::DoneGrain));
  end

  if (!(hd_pkg::ChanCap >= 5
      && hd_pkg::ChanCap <= 15)) begin : g_58
    $fatal(1, "ChanCap=%0d: 5 to 15 is accepted",
        hd_pkg::ChanCap);
  end

  if (!(hd_pkg::ChanRuns >= 4
      && hd_pkg::ChanRuns <= 32)) begin : g_59
    $fatal(1, "ChanRuns=%0d: 4 to 32 is accepted",
        hd_pkg::ChanRuns);
  end

  if (!(hd_pkg::ChanLines >= 2
      && hd_pkg::ChanLines <= 8)) begin : g_60
    $fatal(1, "ChanLines=%0d: 2 to 8 is accepted",
        hd_pkg::ChanLines);
  end

  if (!(hd_pkg::ChanFlight >= 2
      && hd_pkg::ChanFlight <= 64)) begin : g_61
    $fatal(1, "ChanFlight=%0d: 2 to 64 is accepted",
        hd_pkg::ChanFlight);
  end

  if (!(hd_pkg::DoneRows >= 2
      && hd_pkg::DoneRows <= 64)) begin : g_62
    $fatal(1, "DoneRows=%0d: 2 to 64 is accepted",
        hd_pkg::DoneRows);
  end

  if (!(hd_pkg::ChanPaper <= 7)) begin : g_63
    $fatal(1, "ChanPaper=%0d: 0 to 7 is accepted",
        hd_pkg::ChanPaper);
  end

  if (!(hd_pkg::PcW >= 1
      && hd_pkg::PcW <= 64)) begin : g_64
    $fatal(1, "PcW=%0d: 1 to 64 is accepted",
        hd_pkg::PcW);
  end

  if (!(hd_pkg::ParamW >= 7
      && hd_pkg::ParamW <= 64)) begin : g_65
    $fatal(1, "ParamW=%0d: 7 to 64 is accepted",
        hd_pkg::ParamW);
  end

  if (!(hd_pkg::GridXW >= 1
      && hd_pkg::GridXW <= 32)) begin : g_66
    $fatal(1, "GridXW=%0d: 1 to 32 is accepted",
        hd_pkg::GridXW);
  end

  if (!(hd_pkg::GridYW >= 1
      && hd_pkg::GridYW <= 16)) begin : g_67
    $fatal(1, "GridYW=%0d: 1 to 16 is accepted",
        hd_pkg::GridYW);
  end

  if (!(hd_pkg::GridZW >= 1
      && hd_pkg::GridZW <= 16)) begin : g_68
    $fatal(1, "GridZW=%0d: 1 to 16 is accepted",
        hd_pkg::GridZW);
  end

  if (!(hd_pkg::CtaXW >= 1
      && hd_pkg::CtaXW <= 16)) begin : g_69
    $fatal(1, "CtaXW=%0d: 1 to 16 is accepted",
        hd_pkg::CtaXW);
  end

  if (!(hd_pkg::CtaYW >= 1
      && hd_pkg::CtaYW <= 16)) begin : g_70
    $fatal(1, "CtaYW=%0d: 1 to 16 is accepted",
        hd_pkg::CtaYW);
  end

  if (!(hd_pkg::CtaZW >= 1
      && hd_pkg::CtaZW <= 8)) begin : g_71
    $fatal(1, "CtaZW=%0d: 1 to 8 is accepted",
        hd_pkg::CtaZW);
  end

  if (!(hd_pkg::ThreadsW >= 1
      && hd_pkg::ThreadsW <= 16)) begin : g_72
    $fatal(1, "ThreadsW=%0d: 1 to 16 is accepted",
        hd_pkg::ThreadsW);
  end

  if (!(hd_pkg::RegsW >= 1
      && hd_pkg::RegsW <= 8)) begin : g_73
    $fatal(1, "RegsW=%0d: 1 to 8 is accepted",
        hd_pkg::RegsW);
  end

  if (!(hd_pkg::SmemW >= 1
      && hd_pkg::SmemW <= 16)) begin : g_74
    $fatal(1, "SmemW=%0d: 1 to 16 is accepted",
        hd_pkg::SmemW);
  end

  if (!(hd_pkg::SmemPerSmx % 256 == 0
      && hd_pkg::SmemPerSmx / 256 < 1 << hd_pkg::SmemW)) begin : g_75
    $fatal(1, "SmemPerSmx=%0d: a multiple of 256 up to %0d is accepted",
        hd_pkg::SmemPerSmx,
        ((1 << hd_pkg::SmemW) - 1) * 256);
  end

  if (!(hd_pkg::HwqIdW >= clog2(hd_pkg::NumHwq)
      && hd_pkg::HwqIdW <= 8)) begin : g_76
    $fatal(1, "HwqIdW=%0d: %0d to 8 is accepted",
        hd_pkg::HwqIdW,
        clog2(hd_pkg::NumHwq));
  end

  if (!(hd_pkg::CtasW >= 1
      && hd_pkg::CtasW <= 32)) begin : g_77
    $fatal(1, "CtasW=%0d: 1 to 32 is accepted",
        hd_pkg::CtasW);
  end

  if (!(hd_pkg::TagW >= 1
      && hd_pkg::TagW <= 16)) begin : g_78
    $fatal(1, "TagW=%0d: 1 to 16 is accepted",
        hd_pkg::TagW);
  end

  if (!(hd_pkg::AddrW >= 16
      && hd_pkg::AddrW <= 64)) begin : g_79
    $fatal(1, "AddrW=%0d: 16 to 64 is accepted",
        hd_pkg::AddrW);
  end

  if (!(hd_pkg::GroupXW >= 1
      && hd_pkg::GroupXW <= 16)) begin : g_80
    $fatal(1, "GroupXW=%0d: 1 to 16 is accepted",
        hd_pkg::GroupXW);
  end

  if (!(hd_pkg::GroupYW >= 1
      && hd_pkg::GroupYW <= 16)) begin : g_81
    $fatal(1, "GroupYW=%0d: 1 to 16 is accepted",
        hd_pkg::GroupYW);
  end

  if (!(hd_pkg::GroupZW >= 1
      && hd_pkg::GroupZW <= 8)) begin : g_82
    $fatal(1, "GroupZW=%0d: 1 to 8 is accepted",
        hd_pkg::GroupZW);
  end

  if (!(hd_pkg::StreamIdW >= clog2(hd_pkg::NumStreams)
      && hd_pkg::StreamIdW <= 8)) begin : g_83
    $fatal(1, "StreamIdW=%0d: %0d to 8 is accepted",
        hd_pkg::StreamIdW,
        clog2(hd_pkg::NumStreams));
  end

  if (!(hd_pkg::LaneW >= 5
      && hd_pkg::LaneW <= 5)) begin : g_84
    $fatal(1, "LaneW=%0d: 5 to 5 is accepted",
        hd_pkg::LaneW);
  end

  if (!(hd_pkg::LevelW >= clog2(hd_pkg::MaxLevel + 1)
      && hd_pkg::LevelW <= 8)) begin : g_85
    $fatal(1, "LevelW=%0d: %0d to 8 is accepted",
        hd_pkg::LevelW,
        clog2(hd_pkg::MaxLevel + 1));
  end

  if (!(hd_pkg::ExeW >= clog2(hd_pkg::NumSmx * (hd_pkg::CtasPerSmx + hd_pkg::DoneSlack) + 2)
      && hd_pkg::ExeW <= 16)) begin : g_86
    $fatal(1, "ExeW=%0d: %0d to 16 is accepted",
        hd_pkg::ExeW,
        clog2(hd_pkg::NumSmx * (hd_pkg::CtasPerSmx + hd_pkg::DoneSlack) + 2));
  end

  if (!(hd_pkg::RecW >= hd_pkg::AgeW
      && hd_pkg::RecW <= 31)) begin : g_87
    $fatal(1, "RecW=%0d: %0d to 31 is accepted",
        hd_pkg::RecW,
        hd_pkg::AgeW);
  end

endmodule
