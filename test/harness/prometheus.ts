// Prometheus and promtool, where this machine has them (Debian: the package prometheus).

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { DEPLOY } from './deployed.ts'
import { freePort } from './free-port.ts'
import type { Json } from './service.ts'

export function hasProgram(name: 'prometheus' | 'promtool'): boolean {
  try {
    execFileSync(name, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

type Series = { metric: Record<string, string>; value: [number, string] }
type Answer = { status: string; error?: string; data: { result: Series[] } }

/** Scrapes these operator listeners each second, as deploy/prometheus/prometheus.yml would, with the rules beside it. */
export async function startPrometheus(targets: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'paddock-prometheus-'))
  const config = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [join(DEPLOY, 'prometheus/paddock.rules.yml')],
    scrape_configs: [
      { job_name: 'paddock', static_configs: [{ targets: targets.map((target) => new URL(target).host) }] },
    ],
  }
  // YAML is JSON too.
  writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(config))
  const address = `127.0.0.1:${await freePort()}`
  const options = [
    `config.file=${folder}/prometheus.yml`,
    `storage.tsdb.path=${folder}`,
    `web.listen-address=${address}`,
  ]
  const child = spawn(
    'prometheus',
    options.map((option) => `--${option}`),
    { cwd: folder, stdio: 'ignore' },
  )
  const get = async (path: string): Promise<Json> => (await fetch(`http://${address}/api/v1/${path}`)).json()
  await vi.waitFor(() => get('status/runtimeinfo'), { timeout: 60_000, interval: 100 })
  return {
    query: (expression: string): Promise<Answer> => get(`query?query=${encodeURIComponent(expression)}`),
    rules: async (): Promise<{ name: string; health: string; lastError?: string }[]> =>
      (await get('rules')).data.groups.flatMap((group: Json) => group.rules),
    close: () => ended(child).finally(() => rmSync(folder, { recursive: true, force: true })),
  }
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null) return resolve()
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })
}
