// What can be tested of `npm run failover` without a cluster: its configuration and its measurements.

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { repetitions } from './deposits.ts'
import { fillTemplate, haproxyServers } from './programs.ts'
import { falseAges, staleReads } from './stale.ts'
import { type Exchange, timesOf } from './traffic.ts'

const root = new URL('../..', import.meta.url).pathname

describe('docs/capacity.md shows the configuration that the run uses', () => {
  const capacity = readFileSync(`${root}docs/capacity.md`, 'utf8')
  const hosts = ['10.0.0.1', '10.0.0.2', '10.0.0.3']
  const nodes = ['node1', 'node2', 'node3'].map((name) => ({ name, port: 5432, apiPort: 8008 }))
  const password = 'change-me'

  test.each([
    [
      'patroni.yml',
      {
        ...nodes[0],
        host: '10.0.0.1',
        etcdSection: 'etcd3',
        etcdHosts: '10.0.0.11:2379,10.0.0.12:2379,10.0.0.13:2379',
        dataFolder: '/var/lib/postgresql/15/paddock',
        binFolder: '/usr/lib/postgresql/15/bin',
        socketFolder: '/run/postgresql',
        network: '10.0.0.0/24',
        password,
      },
    ],
    ['haproxy.cfg', { host: '127.0.0.1', port: 5000, servers: haproxyServers(nodes, hosts) }],
    [
      'pgbouncer.ini',
      {
        host: '127.0.0.1',
        port: 6432,
        serverHost: '127.0.0.1',
        serverPort: 5000,
        usersFile: '/etc/pgbouncer/users.txt',
      },
    ],
  ])('that of %s', (file, values) => {
    expect(capacity).toContain(`\n${fillTemplate(file, values as Record<string, string | number>)}\`\`\``)
  })
})

const exchange = (kind: Exchange['kind'], status: number, [start, end]: [number, number], instance = 0): Exchange => ({
  instance,
  kind,
  what: '',
  status,
  start: 1000 * start,
  end: 1000 * end,
})

describe('times', () => {
  test('writes are unavailable from one success to the next with a 503 between them, and not while they are slow', () => {
    const exchanges = [
      exchange('write', 200, [0, 1]),
      exchange('write', 200, [1, 6]),
      exchange('write', 503, [6, 7]),
      exchange('deposit', 200, [7, 9]),
      exchange('write', 503, [20, 21], 1),
    ]
    expect(timesOf(exchanges)).toEqual({ unavailable: 3, slowest: 5, slowestReadMeanwhile: 0 })
  })

  test('only reads of the same instance, at the time, are slow meanwhile', () => {
    const exchanges = [
      exchange('write', 200, [0, 10]),
      exchange('write', 503, [10, 11]),
      exchange('write', 200, [11, 20]),
      exchange('read', 200, [0, 9]),
      exchange('read', 200, [12, 14]),
      exchange('read', 200, [12, 18], 1),
    ]
    expect(timesOf(exchanges)).toMatchObject({ unavailable: 10, slowestReadMeanwhile: 2 })
  })

  test('what is there three times is doubled twice', () => {
    expect(repetitions(['a', 'b', 'a', 'a'])).toEqual(['a', 'a'])
  })
})

describe('reads while the primary is away', () => {
  test('503s are counted for writers of the last moments, of unknown fate, and for others; only others may not be slow', () => {
    const span = { from: 10_000, to: 20_000, secondFailure: false }
    const of = (ticket: string, one: Exchange) => ({ ...one, ticket })
    const exchanges = [
      of('late', exchange('write', 200, [9, 9.5])),
      of('unknown', exchange('write', 503, [1, 4])),
      of('early', exchange('write', 200, [1, 2])),
      of('late', exchange('read', 503, [10, 13])),
      of('unknown', exchange('read', 503, [10, 13])),
      of('early', exchange('read', 503, [12, 12.1])),
      { ...of('early', exchange('read', 200, [12, 12.1])), age: 3 },
      of('early', exchange('read', 200, [12, 13.5])),
    ]
    const { violations, ...counts } = staleReads(exchanges, span)
    expect(counts).toEqual({ stale: 1, oldestSeconds: 3, writers503: 2, others503: 1 })
    expect(violations).toEqual([
      'instance 1:  was 503 for a reader who had not written',
      'instance 1:  took 1500 ms while the primary was away',
    ])
    expect(staleReads(exchanges, { ...span, secondFailure: true }).violations).toHaveLength(1)
  })

  test('an age is false where what was answered before it is not shown', () => {
    const answered = [
      { profileId: 1, number: 4, at: 1_000 },
      { profileId: 1, number: 5, at: 2_000 },
      { profileId: 2, number: 6, at: 1_000 },
    ]
    const shown = (number: number, answeredBefore: number) => ({ profileId: 1, number, answeredBefore })
    expect(falseAges([shown(4, 1_500), shown(5, 1_500), shown(4, 2_000)], answered)).toEqual([])
    expect(falseAges([shown(4, 2_500), shown(0, 1_500)], answered)).toHaveLength(2)
  })
})
