import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { checkEnvFile } from '../../src/platform/config/env-file.ts'

test('.env.example has nothing to report, with and without its comment signs', () => {
  const text = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8')
  const set = text.replaceAll(/^#(\w+=)/gm, '$1')
  expect(parseEnv(set)).toHaveProperty('DATA_DIR')
  for (const one of [text, set]) expect(checkEnvFile(one)).toEqual({ malformed: [], unknown: [] })
})

test('what is well formed for Node is no mistake', () => {
  const text = `
  # a comment
export PORT = 9080
HOST='127.0.0.1' # in quotes
OIDC_ROLES="ann=admin,
NOT_A_SETTING,
bob=moderator"
OPERATOR_PORT=9081\r
JWT_AUDIENCE=
OPERATOR_TOKEN=\`a"b=c'd\`
`
  expect(Object.keys(parseEnv(text)).sort()).toEqual([
    'HOST',
    'JWT_AUDIENCE',
    'OIDC_ROLES',
    'OPERATOR_PORT',
    'OPERATOR_TOKEN',
    'PORT',
  ])
  expect(checkEnvFile(text)).toEqual({ malformed: [], unknown: [] })
})

test('unknown names are reported with the nearest setting, and no value is shown', () => {
  const text = 'RATE_LIMIT_PER_SECONDS=5\nport=9080\nDATABSE_URL=postgres://u:hunter2@h/d\nPOSTGRES_PASSWORD=hunter2\n'
  expect(checkEnvFile(text)).toEqual({
    malformed: [],
    unknown: [
      '.env, line 1: there is no setting RATE_LIMIT_PER_SECONDS; did you mean RATE_LIMIT_PER_SECOND?',
      '.env, line 2: there is no setting port; did you mean PORT?',
      '.env, line 3: there is no setting DATABSE_URL; did you mean DATABASE_URL?',
      '.env, line 4: there is no setting POSTGRES_PASSWORD',
    ],
  })
})

test('malformed lines are reported by their numbers', () => {
  const text = 'PORT 9080\n\nMODE: production\nHOST="127.0.0.1\nOPERATOR_PORT=1\n=x\n'
  expect(checkEnvFile(text)).toEqual({
    malformed: [
      '.env, line 1: write NAME=value, or # at the beginning of a comment',
      '.env, line 3: write NAME=value, or # at the beginning of a comment',
      '.env, line 4: the value of HOST has no closing "',
      '.env, line 6: write NAME=value, or # at the beginning of a comment',
    ],
    unknown: [],
  })
})
