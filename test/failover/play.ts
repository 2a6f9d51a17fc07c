// One fault: the service starts, works under load, and is checked afterwards.

import { join } from 'node:path'
import { sleep } from '../torture/processes.ts'
import { type LogWatcher, watchLog } from '../torture/tip-log.ts'
import { doubledTips, findLostWrites, wrongCounters } from './checks.ts'
import type { Cluster } from './cluster.ts'
import { checkDeposits } from './deposits.ts'
import { type Fault, prepareCluster, untilWhole } from './faults.ts'
import { type Instance, startInstances, untilReady } from './instances.ts'
import { type Load, startLoad } from './load.ts'
import type { Result } from './report.ts'
import { falseAges, staleReads } from './stale.ts'
import { createTraffic, type Exchange, isSuccess, type Traffic, timesOf } from './traffic.ts'
import { until } from './until.ts'
import { createWorld } from './world.ts'

type Stage = {
  cluster: Cluster
  folder: string
  seconds: number
  /** STALE_READS_UP_TO_SECONDS; 0: off. */
  staleSeconds: number
  bankUrl: string
  say: (text: string) => void
}

const MAX_READ_MS = 1_000
const MAX_RECOVERY_SECONDS = 90

export async function playFault(fault: Fault, stage: Stage): Promise<Result> {
  const { cluster, folder, bankUrl, staleSeconds, say } = stage
  await prepareCluster(cluster, fault.replication)
  const traffic = createTraffic()
  say('  starting two instances of the service')
  const instances = await startInstances(cluster, folder, {
    bankUrl,
    traffic,
    staleSeconds,
    log: join(folder, fault.name),
  })
  try {
    await untilReady(instances)
    const load = await startLoad(cluster, await createWorld(instances), instances)
    const fromOutside: string[] = []
    let isOver = false
    const tipLog = watchLog((instances[0] as Instance).url, () => isOver)
    const played = await underLoad(fault, stage, { instances, traffic, report: (one) => void fromOutside.push(one) })
    say('  stopping the load')
    await load.stop()
    isOver = true
    await tipLog.watching
    say('  checking what is stored')
    return await check(fault, stage, { ...played, load, instances, traffic, fromOutside, tipLog })
  } finally {
    await Promise.all(instances.map((instance) => instance.stop()))
  }
}

type Running = { instances: readonly Instance[]; traffic: Traffic; report: (problem: string) => void }
/** When the fault began and ended, and when both instances wrote again. */
type Played = { from: number; to: number; whole: number }

async function underLoad(fault: Fault, stage: Stage, { instances, traffic, report }: Running): Promise<Played> {
  const { cluster, seconds, say } = stage
  say('  starting the load')
  await sleep(1000 * seconds)
  say('  playing the fault')
  // So that the service wants to store that these sessions are in use, which it does each 30 seconds: no read may wait for it.
  await cluster.queryPrimary('update session set used_at = used_at - 60000')
  const from = performance.now()
  const end = await fault.play({ cluster, instances, seconds, report })
  if (fault.endsFirst) await end()
  const to = performance.now()
  say('  waiting until both instances write again')
  await untilWritesWork(traffic)
  const whole = performance.now()
  await sleep(1000 * seconds)
  say('  waiting until the cluster is whole')
  if (!fault.endsFirst) await end()
  await untilWhole(cluster, fault.replication).catch((error: Error) => report(error.message))
  await sleep(2_000)
  return { from, to, whole }
}

async function untilWritesWork({ exchanges }: Traffic): Promise<void> {
  const start = performance.now()
  const works = (number: number, kind: Exchange['kind']) =>
    exchanges.some((one) => one.instance === number && one.kind === kind && one.start > start && isSuccess(one))
  await until(
    'both instances write again',
    async () => [0, 1].every((number) => works(number, 'write') && works(number, 'deposit') && works(number, 'read')),
    MAX_RECOVERY_SECONDS,
  )
}

type Evidence = Played & {
  load: Load
  instances: readonly Instance[]
  traffic: Traffic
  fromOutside: string[]
  tipLog: LogWatcher
}

async function check(
  fault: Fault,
  { cluster, bankUrl, folder, staleSeconds }: Stage,
  evidence: Evidence,
): Promise<Result> {
  const { load, instances, traffic, fromOutside, tipLog } = evidence
  const { recorded } = load
  await findLostWrites(cluster, recorded)
  const money = await checkDeposits(cluster, load.deposits, { url: bankUrl, folder })
  const counters = await wrongCounters(cluster)
  const ledger = await (instances[0] as Instance).ledgerProblems()
  const lost = [...recorded.lost, ...money.lost]
  const doubled = [...(await doubledTips(cluster, recorded)), ...money.doubled]
  const unseen = [...recorded.unseen]
  const isAsynchronous = fault.replication === 'asynchronous'
  const reported = await Promise.all(instances.map((instance) => instance.metric('paddock_history_lost')))
  const span = { from: evidence.from, to: evidence.whole, secondFailure: fault.secondFailure ?? false }
  const { violations, ...reads } = staleReads(traffic.exchanges, span)
  const standbysAway = fault.onlyStandbys ? [{ start: evidence.from, end: evidence.to }] : []
  return {
    fault: fault.name,
    ...timesOf(traffic.exchanges, standbysAway),
    reads,
    failures: traffic.failures.length,
    answered: traffic.exchanges.filter((one) => one.kind !== 'read' && isSuccess(one)).length,
    lost: lost.length,
    doubled: doubled.length,
    counters: counters.length === 0,
    ledger: ledger.length === 0,
    paidTwice: money.paidTwice.length,
    unseen: unseen.length,
    broken: [
      ...fromOutside,
      ...traffic.failures,
      ...doubled.map((one) => `doubled: ${one}`),
      ...counters,
      ...ledger.map((one) => `ledger: ${one}`),
      ...money.paidTwice.map((one) => `paid twice: ${one}`),
      ...money.unreported.map((one) => `lost, and not in the list of paddock reconcile: ${one}`),
      ...unseen.map((one) => `its writer did not see: ${one}`),
      ...(fault.onlyStandbys ? slowReads(evidence) : []),
      ...(staleSeconds > 0 && !isAsynchronous ? violations : []),
      ...(isAsynchronous ? [] : falseAges(recorded.shown, recorded.answered)),
      ...historyProblems(isAsynchronous, lost, reported),
      ...(isAsynchronous ? [] : [...lost.map((one) => `lost: ${one}`), ...money.violations, ...recorded.unexpected]),
      // A lost history takes its checkpoints along.
      ...(isAsynchronous ? [] : await tipLog.violations()),
    ],
  }
}

function historyProblems(isAsynchronous: boolean, lost: readonly string[], reported: readonly number[]): string[] {
  const isReported = reported.some((one) => one > 0)
  if (isAsynchronous && lost.length > 0 && !isReported) return ['writes were lost, and paddock_history_lost is 0']
  if (!isAsynchronous && isReported) return ['paddock_history_lost is 1, although replication is synchronous']
  return []
}

/** While the standbys were away. */
function slowReads({ traffic, from, to }: Evidence): string[] {
  return traffic.exchanges
    .filter(({ kind, start }) => kind === 'read' && start > from && start < to)
    .filter((one) => !isSuccess(one) || one.end - one.start > MAX_READ_MS)
    .map(
      ({ instance, what, status, start, end }) =>
        `instance ${instance + 1}: ${what} was answered ${status} after ${Math.round(end - start)} ms, while only standbys were away`,
    )
}
