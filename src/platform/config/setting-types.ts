// How settings are read from the environment. What a parser throws is shown with the setting's name.

import type { BlockList } from 'node:net'
import { availableParallelism } from 'node:os'
import { addressList } from '../runtime/addresses.ts'
import { parseMoney } from '../runtime/money.ts'
import { serversOf, splitUrls } from '../runtime/postgres-url.ts'
import { ROLES, type Role } from './roles.ts'

/** `allowed`: its values, if they are few. */
export type Setting<T> = { defaultValue: T; allowed?: readonly string[]; parse: (raw: string) => T }

export function text<T extends string | null>(defaultValue: T): Setting<string | T> {
  return { defaultValue, parse: (raw) => raw }
}

/** A path that answers show and the service serves. */
export function path(defaultValue: string): Setting<string> {
  return {
    defaultValue,
    parse(raw) {
      if (!/^(\/[\w.~-]+)+$/.test(raw)) throw new Error(`write a path of plain characters, such as ${defaultValue}`)
      return raw
    },
  }
}

export function choice<T extends string | null>(defaultValue: T, allowed: string[]): Setting<string | T> {
  return {
    defaultValue,
    allowed,
    parse(raw) {
      if (!allowed.includes(raw)) throw new Error(`write one of ${allowed.join(', ')}`)
      return raw
    },
  }
}

export function amount(defaultValue: string): Setting<string> {
  return {
    defaultValue,
    parse(raw) {
      if (parseMoney(raw) === undefined) throw new Error('write an amount such as 5000.00')
      return raw
    },
  }
}

export function integer<T extends number | null>(defaultValue: T, min: number, max: number): Setting<number | T> {
  return {
    defaultValue,
    parse(raw) {
      const value = Number(raw)
      if (!/^\d+$/.test(raw) || value < min || value > max)
        throw new Error(`write a whole number from ${min} to ${max}`)
      return value
    },
  }
}

export function ratio(defaultValue: number): Setting<number> {
  return {
    defaultValue,
    parse(raw) {
      if (!/^(0|1|0?\.\d+|1\.0+)$/.test(raw)) throw new Error('write a number from 0 to 1, such as 0.1')
      return Number(raw)
    },
  }
}

export function integerOrAuto(defaultValue: number, min: number, max: number): Setting<number> {
  const plain = integer(defaultValue, min, max)
  return { ...plain, parse: (raw) => (raw === 'auto' ? availableParallelism() : plain.parse(raw)) }
}

export function url(defaultValue: string | null): Setting<string | null> {
  return {
    defaultValue,
    parse(raw) {
      const parsed = URL.canParse(raw) ? new URL(raw) : null
      if (parsed === null || !/^https?:$/.test(parsed.protocol))
        throw new Error('write an address that begins with http:// or https://')
      if (parsed.username + parsed.password !== '')
        throw new Error('write the address without a user name and password')
      return raw
    },
  }
}

/** The first invalid address is reported by its position, because an address may contain a password. */
export const postgresUrl: Setting<string | null> = {
  defaultValue: null,
  parse(raw) {
    serversOf(raw)
    return raw
  },
}

/** One URL for each server. */
export const postgresUrls: Setting<string[] | null> = {
  defaultValue: null,
  parse: (raw) =>
    splitUrls(raw).flatMap((url, index) => {
      try {
        return serversOf(url).urls
      } catch (error) {
        throw new Error(`address ${index + 1}: ${(error as Error).message}`)
      }
    }),
}

export const proxies: Setting<BlockList | null> = {
  defaultValue: null,
  parse: (raw) => addressList(raw.split(',').map((address) => address.trim())),
}

export const origins: Setting<readonly string[] | null> = {
  defaultValue: null,
  parse(raw) {
    if (raw === 'off') return []
    const found = raw.split(',').map((one) => one.trim())
    if (!found.every((one) => /^https?:/.test(one) && URL.parse(one)?.origin === one)) {
      throw new Error('write origins such as https://app.example.com, without a path, or off')
    }
    return found
  },
}

/** name=value pairs, as OpenTelemetry writes headers: values are percent-encoded where they need it. */
export const headers: Setting<Readonly<Record<string, string>> | null> = {
  defaultValue: null,
  parse: (raw) =>
    Object.fromEntries(
      raw.split(',').map((pair) => {
        const [, name = '', value = ''] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*=(.*)$/.exec(pair) ?? []
        const text = decoded(value.trim())
        if (name === '' || !/^[ -~]+$/.test(text)) {
          throw new Error('write pairs such as name=value, comma-separated; in values write a comma as %2C')
        }
        return [name.toLowerCase(), text]
      }),
    ),
}

/** '' for what is not percent-encoded as it should be. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return ''
  }
}

export const roles: Setting<(readonly [value: string, role: Role])[] | null> = {
  defaultValue: null,
  parse: (raw) =>
    raw.split(',').map((pair) => {
      const equals = pair.lastIndexOf('=')
      const [value, role] = [pair.slice(0, Math.max(0, equals)).trim(), pair.slice(equals + 1).trim()]
      if (value === '' || !ROLES.includes(role as Role)) {
        throw new Error(`write pairs such as paddock-admins=admin, with one of ${ROLES.join(', ')}`)
      }
      return [value, role as Role] as const
    }),
}
