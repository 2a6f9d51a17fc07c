// Three PostgreSQL servers under Patroni, with etcd and HAProxy, in a temporary folder and on free ports of the loopback interface.

import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { freePort } from '../harness/free-port.ts'
import { killAll } from './processes.ts'
import {
  HOST,
  type Node,
  newFolder,
  patroniFile,
  startEtcd,
  startHaproxy,
  startPatroni,
  startPgBouncer,
  writePatroniFile,
} from './programs.ts'
import { until } from './until.ts'

/** As Patroni describes it. */
type Member = { name: string; role: string; state: string; timeline?: number; lag?: number | string }

export type Cluster = Awaited<ReturnType<typeof createCluster>>

type Settings = { folder: string; binFolder: string; throughPgBouncer: boolean }

export async function createCluster({ folder, binFolder, throughPgBouncer }: Settings) {
  const password = randomBytes(12).toString('hex')
  const nodes = await Promise.all(['node1', 'node2', 'node3'].map((name) => newNode(folder, name)))
  const etcdPort = await startEtcd(newFolder(folder, 'etcd'))
  for (const node of nodes) writePatroniFile(node, { etcdPort, binFolder, password })
  const balancerPort = await startHaproxy(newFolder(folder, 'haproxy'), nodes)
  const database = (user: string, port: number, name: string) =>
    `postgres://${user}:${password}@${HOST}:${port}/${name}`

  async function members(): Promise<Member[]> {
    return (await patroni(nodes, 'GET', '/cluster')).members
  }

  async function primary(): Promise<Node> {
    const leader = (await members()).find(({ role }) => role === 'leader')
    const node = nodes.find(({ name }) => name === leader?.name)
    if (node === undefined) throw new Error('the cluster has no primary')
    return node
  }

  /** Whatever the service says; waits while there is no primary. */
  async function queryPrimary(sql: string, values: unknown[] = []): Promise<Row[]> {
    let rows: Row[] = []
    await until('the primary answers', async () => {
      rows = await query(database('paddock', (await primary()).port, 'paddock'), sql, values)
      return true
    })
    return rows
  }

  const adminUrl = (node: Node) => database('postgres', node.port, 'postgres')
  startPatroni(nodes[0] as Node)
  await until('the first server runs', async () => (await primary()) !== undefined)
  for (const node of nodes.slice(1)) startPatroni(node)
  await createDatabase(adminUrl(await primary()), password)
  const bouncerPort = throughPgBouncer
    ? await startPgBouncer(newFolder(folder, 'pgbouncer'), balancerPort, password)
    : balancerPort
  const balancedUrl = database('paddock', bouncerPort, 'paddock')
  await until('HAProxy leads to the primary', async () => (await query(balancedUrl, 'select 1')).length === 1)

  return {
    nodes,
    adminUrl,
    /** Through HAProxy, and pgBouncer if it is used. */
    balancedUrl,
    /** Past pgBouncer. */
    probeUrl: database('paddock', balancerPort, 'paddock'),
    multiHostUrl: `postgres://paddock:${password}@${nodes.map(({ port }) => `${HOST}:${port}`).join(',')}/paddock?target_session_attrs=read-write`,
    nodeUrl: (node: Node) => database('paddock', node.port, 'paddock'),
    members,
    primary,
    queryPrimary,
    startNode: startPatroni,
    /** As a machine that loses power. */
    killNode: (node: Node) => killAll(node.folder),
    configure: (settings: object) => patroni(nodes, 'PATCH', '/config', settings),
    controlArguments: (node: Node) => ['-c', patroniFile(node)],
  }
}

async function newNode(folder: string, name: string): Promise<Node> {
  return { name, folder: newFolder(folder, name), port: await freePort(), apiPort: await freePort() }
}

async function createDatabase(adminUrl: string, password: string): Promise<void> {
  await query(adminUrl, `create role paddock login password '${password}'`)
  await query(adminUrl, 'create database paddock owner paddock')
  // pgBouncer cannot pass on what Paddock sets for its connections.
  for (const setting of [`statement_timeout = '10s'`, `plan_cache_mode = 'force_generic_plan'`]) {
    await query(adminUrl, `alter role paddock set ${setting}`)
  }
}

/** Calls Patroni's API at the first node that answers. */
async function patroni(nodes: readonly Node[], method: string, path: string, body?: object) {
  for (const { apiPort } of nodes) {
    try {
      const response = await fetch(`http://${HOST}:${apiPort}${path}`, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(2_000),
      })
      if (response.ok) return (await response.json()) as { members: Member[] }
    } catch {
      // The next one.
    }
  }
  throw new Error(`no node answers ${method} ${path}`)
}

// biome-ignore lint/suspicious/noExplicitAny: rows of many statements
type Row = any

export async function query(url: string, sql: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3_000, query_timeout: 20_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql, values)).rows
  } finally {
    await client.end()
  }
}
