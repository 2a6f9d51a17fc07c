// The programs of the cluster, with the configuration that docs/capacity.md recommends.

import { execFileSync } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../harness/free-port.ts'
import { startProgram, UNPRIVILEGED } from './processes.ts'
import { until } from './until.ts'

export const HOST = '127.0.0.1'

export type Node = { name: string; folder: string; port: number; apiPort: number }

/** The text of a template of this folder, with its {{values}}. */
export function fillTemplate(file: string, values: Record<string, string | number>): string {
  const template = readFileSync(new URL(file, import.meta.url), 'utf8')
  return template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    if (values[name] === undefined) throw new Error(`${file} needs a value for ${name}`)
    return `${values[name]}`
  })
}

export function haproxyServers(nodes: readonly Pick<Node, 'name' | 'port' | 'apiPort'>[], hosts: readonly string[]) {
  return nodes
    .map(({ name, port, apiPort }, index) => `    server ${name} ${hosts[index]}:${port} check port ${apiPort}`)
    .join('\n')
}

export function newFolder(parent: string, name: string): string {
  const folder = join(parent, name)
  mkdirSync(folder, { mode: 0o700 })
  giveAway(folder)
  return folder
}

function giveAway(path: string): void {
  if (UNPRIVILEGED.uid !== undefined) chownSync(path, UNPRIVILEGED.uid, UNPRIVILEGED.gid)
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'paddock-failover-'))
  giveAway(folder)
  return folder
}

export const patroniFile = (node: Node): string => join(node.folder, 'patroni.yml')

/** As the comment in patroni.yml says. */
function etcdSection(): 'etcd' | 'etcd3' {
  const version = execFileSync('patroni', ['--version'], { encoding: 'utf8' })
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(version) ?? []
  return Number(major) > 3 || (Number(major) === 3 && Number(minor) >= 1) ? 'etcd3' : 'etcd'
}

type PatroniSettings = { etcdPort: number; binFolder: string; password: string }

export function writePatroniFile(node: Node, { etcdPort, binFolder, password }: PatroniSettings): void {
  const values = {
    ...node,
    host: HOST,
    etcdSection: etcdSection(),
    etcdHosts: `${HOST}:${etcdPort}`,
    dataFolder: join(node.folder, 'data'),
    socketFolder: node.folder,
    network: `${HOST}/32`,
    binFolder,
    password,
  }
  writeFileSync(patroniFile(node), fillTemplate('patroni.yml', values))
  giveAway(patroniFile(node))
}

export function startPatroni(node: Node): void {
  startProgram({ command: 'patroni', args: [patroniFile(node)], folder: node.folder })
}

export async function startEtcd(folder: string): Promise<number> {
  const [port, peerPort] = [await freePort(), await freePort()]
  const [url, peerUrl] = [`http://${HOST}:${port}`, `http://${HOST}:${peerPort}`]
  const args = [
    ...['--data-dir', join(folder, 'data')],
    ...['--listen-client-urls', url, '--advertise-client-urls', url],
    ...['--listen-peer-urls', peerUrl, '--initial-advertise-peer-urls', peerUrl],
    ...['--initial-cluster', `default=${peerUrl}`],
    ...(etcdSection() === 'etcd' ? ['--enable-v2'] : []),
  ]
  startProgram({ command: 'etcd', args, folder })
  await until('etcd answers', async () => (await fetch(`${url}/health`)).ok)
  return port
}

export async function startHaproxy(folder: string, nodes: readonly Node[]): Promise<number> {
  const port = await freePort()
  const file = join(folder, 'haproxy.cfg')
  const servers = haproxyServers(
    nodes,
    nodes.map(() => HOST),
  )
  writeFileSync(file, fillTemplate('haproxy.cfg', { host: HOST, port, servers }))
  giveAway(file)
  startProgram({ command: 'haproxy', args: ['-db', '-f', file], folder })
  return port
}

export async function startPgBouncer(folder: string, serverPort: number, password: string): Promise<number> {
  const port = await freePort()
  const [file, usersFile] = [join(folder, 'pgbouncer.ini'), join(folder, 'users.txt')]
  const values = { host: HOST, port, serverHost: HOST, serverPort, usersFile }
  writeFileSync(file, `${fillTemplate('pgbouncer.ini', values)}unix_socket_dir =\n`)
  writeFileSync(usersFile, `"paddock" "${password}"\n`)
  for (const path of [file, usersFile]) giveAway(path)
  startProgram({ command: 'pgbouncer', args: [file], folder })
  return port
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}
