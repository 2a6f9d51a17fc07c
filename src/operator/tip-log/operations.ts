import { rotateKey } from '../../tip-log/keys.ts'
import * as s from '../server/fields.ts'
import { operatorOperation } from '../server/operation.ts'
import { singlePage } from '../server/pages.ts'
import { shown } from '../server/shown.ts'

const key = s.namedObject('LogKey', {
  id: s.string('6f0d1c52'),
  publicKey: s.string('Kw1t0rY7u0mGZ3oI5b1rV9hQx2c8nD4pL6sJ7kT0aXE=', 'Ed25519, its 32 bytes in Base64.'),
  createdAt: s.time(),
  retiredAt: s.orNull(s.time(), 'null: it signs checkpoints.', null),
})

export const logKeys = s.page(key)
const keyOf = shown(key)

export const tipLogOperatorOperations = [
  operatorOperation({
    name: 'rotateLogKey',
    summary: 'Replace the key that signs the log of tips',
    description:
      'The newest checkpoint is signed again with the new key. The old private key is deleted; its public key stays published, so that earlier checkpoints can be verified.',
    route: 'POST /log/keys',
    role: 'admin',
    audit: 'began a new key of the provable log',
    answer: { 201: logKeys },
    async handle({ database, now }) {
      return singlePage((await rotateKey(database, now())).map((row) => keyOf(row)))
    },
  }),
]
