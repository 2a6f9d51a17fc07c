// The faults that are played, each on a cluster that is whole, and what is promised meanwhile.

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { sleep } from '../torture/processes.ts'
import { type Cluster, query } from './cluster.ts'
import type { Instance } from './instances.ts'
import { sendSignal, signalAll } from './processes.ts'
import type { Node } from './programs.ts'
import { until } from './until.ts'

type Stage = { cluster: Cluster; instances: readonly Instance[]; seconds: number; report: (problem: string) => void }

export type Fault = {
  name: string
  meaning: string
  replication: 'synchronous' | 'strict' | 'asynchronous'
  /** A replica is lost with the primary. */
  secondFailure?: true
  /** The primary stays: reads are answered within a second. */
  onlyStandbys?: true
  /** Returns what ends the fault, after writes have worked again; `endsFirst`: they work again only after that. */
  play(stage: Stage): Promise<() => Promise<void>>
  endsFirst?: true
}

const SETTINGS = {
  synchronous: { synchronous_mode: true, synchronous_mode_strict: null, maximum_lag_on_failover: null },
  strict: { synchronous_mode: true, synchronous_mode_strict: true, maximum_lag_on_failover: null },
  // Any standby may be promoted, however much it lacks.
  asynchronous: { synchronous_mode: false, synchronous_mode_strict: null, maximum_lag_on_failover: 2 ** 30 },
}

const FREEZE_MS = 20_000
/** Longer than the pause between heartbeats of an idle service. */
const BEHIND_MS = 2_000

export const faults: Fault[] = [
  {
    name: 'kill',
    meaning: 'kill -9 of the primary, synchronous',
    replication: 'synchronous',
    async play({ cluster }) {
      const node = await cluster.primary()
      await cluster.killNode(node)
      return async () => void cluster.startNode(node)
    },
  },
  {
    name: 'kill-two',
    meaning: 'kill -9 of the primary, and of a replica 100 ms later',
    replication: 'synchronous',
    secondFailure: true,
    async play({ cluster }) {
      const node = await cluster.primary()
      const asynchronous = (await cluster.members()).find(({ role }) => role === 'replica')
      const replica = cluster.nodes.find(({ name }) => name === asynchronous?.name) as Node
      await cluster.killNode(node)
      await sleep(100)
      await cluster.killNode(replica)
      return async () => {
        cluster.startNode(node)
        cluster.startNode(replica)
      }
    },
  },
  {
    name: 'restart',
    meaning: 'restart of the primary',
    replication: 'synchronous',
    async play({ cluster }) {
      const node = await cluster.primary()
      const args = [...cluster.controlArguments(node), 'restart', 'paddock', node.name, '--force']
      await promisify(execFile)('patronictl', args, { timeout: 60_000 })
      return async () => {}
    },
  },
  {
    name: 'kill-async',
    meaning: 'kill -9 of the primary, asynchronous',
    replication: 'asynchronous',
    async play({ cluster }) {
      const node = await killPrimaryThatIsAhead(cluster)
      return async () => void cluster.startNode(node)
    },
  },
  {
    name: 'switchover',
    meaning: 'switchover',
    replication: 'synchronous',
    async play({ cluster }) {
      const args = [...cluster.controlArguments(await cluster.primary()), 'switchover', 'paddock', '--force']
      await promisify(execFile)('patronictl', args, { timeout: 60_000 })
      return async () => {}
    },
  },
  {
    name: 'kill-standby',
    meaning: 'kill -9 of the synchronous standby',
    replication: 'synchronous',
    onlyStandbys: true,
    async play({ cluster, seconds }) {
      const synchronous = (await cluster.members()).find(({ role }) => role === 'sync_standby')
      const node = cluster.nodes.find(({ name }) => name === synchronous?.name) as Node
      await cluster.killNode(node)
      await sleep(1000 * seconds)
      return async () => void cluster.startNode(node)
    },
  },
  {
    name: 'no-standby',
    meaning: 'all synchronous standbys gone',
    replication: 'strict',
    onlyStandbys: true,
    endsFirst: true,
    async play({ cluster, instances, report }) {
      const primary = await cluster.primary()
      const standbys = cluster.nodes.filter((node) => node !== primary)
      await Promise.all(standbys.map(cluster.killNode))
      await untilUnready(instances, report)
      await sleep(10_000)
      return async () => standbys.forEach(cluster.startNode)
    },
  },
  {
    name: 'freeze',
    meaning: 'primary frozen for 20 s',
    replication: 'synchronous',
    async play({ cluster }) {
      const { folder } = await cluster.primary()
      await signalAll(folder, 'SIGSTOP')
      await sleep(FREEZE_MS)
      await signalAll(folder, 'SIGCONT')
      return async () => {}
    },
  },
  {
    name: 'read-only',
    meaning: 'primary made read-only',
    replication: 'synchronous',
    endsFirst: true,
    async play({ cluster, instances, seconds, report }) {
      const url = cluster.adminUrl(await cluster.primary())
      await query(url, 'alter system set default_transaction_read_only = on')
      await query(url, 'select pg_reload_conf()')
      await untilUnready(instances, report)
      await sleep(1000 * seconds)
      return async () => {
        await query(url, 'alter system reset default_transaction_read_only')
        await query(url, 'select pg_reload_conf()')
      }
    },
  },
  {
    name: 'diverged',
    meaning: 'former primary joins without pg_rewind',
    replication: 'asynchronous',
    async play(stage) {
      const { cluster } = stage
      const node = await killPrimaryThatIsAhead(
        cluster,
        'create table ahead as select generate_series(1, 500000) as number',
      )
      await until('a new primary is there', async () => (await cluster.primary()) !== node)
      await cluster.configure({ postgresql: { use_pg_rewind: false } })
      cluster.startNode(node)
      await watchDiverged(stage, node)
      return async () => {
        await cluster.killNode(node)
        await cluster.configure({ postgresql: { use_pg_rewind: true } })
        cluster.startNode(node)
      }
    },
  },
]

/** Of the replication that the fault needs, with three servers that agree. */
export async function prepareCluster(cluster: Cluster, replication: Fault['replication']): Promise<void> {
  await cluster.configure(SETTINGS[replication])
  await untilWhole(cluster, replication)
}

export function untilWhole(cluster: Cluster, replication: Fault['replication']): Promise<void> {
  return until(
    'the cluster is whole',
    async () => {
      const members = await cluster.members()
      const timelines = new Set(members.map(({ timeline }) => timeline))
      const roles = members.map(({ role }) => role).sort()
      const wanted = ['leader', 'replica', replication === 'asynchronous' ? 'replica' : 'sync_standby']
      const isRunning = members.every(({ state }) => state === 'running' || state === 'streaming')
      const streams = (await cluster.queryPrimary('select 1 from pg_stat_replication')).length
      if (isRunning && timelines.size === 1 && `${roles}` === `${wanted}` && streams === 2) return true
      throw new Error(
        members.map(({ name, role, state, timeline }) => `${name} ${role} ${state} ${timeline}`).join(', '),
      )
    },
    90,
  )
}

/** The standbys stop to receive its log, while it goes on; so what it answers is lost. */
async function killPrimaryThatIsAhead(cluster: Cluster, sql = 'select 1'): Promise<Node> {
  const node = await cluster.primary()
  const senders = await query(cluster.adminUrl(node), 'select pid from pg_stat_replication')
  for (const { pid } of senders) sendSignal(pid, 'SIGSTOP')
  await query(cluster.adminUrl(node), sql)
  await sleep(BEHIND_MS)
  await cluster.killNode(node)
  return node
}

/** The instances must report that the database takes no writes. */
async function untilUnready(instances: readonly Instance[], report: Stage['report']): Promise<void> {
  for (const instance of instances) {
    const isUnready = async () => (await instance.ready()).status === 'database takes no writes'
    await until('', isUnready, 15).catch(() =>
      report(`instance ${instance.number + 1}: /health/ready stayed 200 although nothing can be written`),
    )
  }
}

/** It answers queries, and has what the others do not have. Nobody may read it. */
async function watchDiverged({ cluster, instances, seconds, report }: Stage, node: Node): Promise<void> {
  const number = cluster.nodes.indexOf(node) + 1
  const reads = () =>
    Promise.all(instances.map((instance) => instance.metric(`paddock_reads_total{place="replica ${number}"}`)))
  await until('the former primary answers queries', async () => {
    const [row] = await query(
      cluster.adminUrl(node),
      'select pg_is_in_recovery() as standby, count(*) as rows from ahead',
    )
    return row.standby && Number(row.rows) > 0
  })
  const before = await reads()
  const end = performance.now() + 1000 * Math.max(seconds, 8)
  while (performance.now() < end) {
    await sleep(500)
    for (const instance of instances) {
      const { leftOut = [] } = await instance.ready()
      const isNamed = leftOut.some((one) => one.startsWith(`replica ${number}: `))
      if (!isNamed)
        report(`instance ${instance.number + 1} does not leave out the diverged replica ${number}: ${leftOut}`)
    }
  }
  if (`${await reads()}` !== `${before}`) report(`the diverged replica ${number} was read`)
}
