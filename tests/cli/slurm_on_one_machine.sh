#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Hermetic N-node Slurm in one directory, any user, loopback only, no munge. usage: mini.sh up|down DIR [N]
set -eu; D=$2; N=${3:-4}; H=$(hostname -s); U=$(id -un); export SLURM_CONF=$D/slurm.conf PATH=$PATH:/usr/sbin
case $1 in up)
 mkdir -p $D/state $D/log
 cat > $D/slurm.conf <<C
ClusterName=dse
SlurmctldHost=$H(127.0.0.1)
SlurmUser=$U
SlurmdUser=$U
AuthType=auth/none
CredType=cred/none
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
SlurmctldPort=16817
SlurmctldPidFile=$D/slurmctld.pid
SlurmdPidFile=$D/slurmd-%n.pid
StateSaveLocation=$D/state
SlurmdSpoolDir=$D/spool-%n
SlurmctldLogFile=$D/log/slurmctld.log
SlurmdLogFile=$D/log/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
JobCompType=jobcomp/filetxt
JobCompLoc=$D/log/jobcomp.txt
ReturnToService=2
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
SchedulerParameters=sched_min_interval=10000,batch_sched_delay=0,bf_interval=1
SlurmctldTimeout=10
SlurmdTimeout=10
KillWait=2
MailProg=/bin/true
NodeName=n[0-$((N-1))] NodeHostname=$H NodeAddr=127.0.0.1 Port=[16820-$((16820+N-1))] CPUs=1 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
C
 slurmctld -f $D/slurm.conf
 for i in $(seq 0 $((N-1))); do mkdir -p $D/spool-n$i; slurmd -f $D/slurm.conf -N n$i; done
 for i in $(seq 100); do [ "$(sinfo -N -h -o %T 2>/dev/null | grep -c idle)" = $N ] && break; sleep 0.1; done; sinfo -N -h ;;
down) for p in $D/slurmd-*.pid $D/slurmctld.pid; do [ -f $p ] && kill $(cat $p) || true; done ;; esac
