import { named, object, orNull, string } from '../../http/representation/json-schema.ts'
import { page, time } from '../server/fields.ts'

const key = named(
  'LogKey',
  object({
    id: string({ examples: ['6f0d1c52'] }),
    publicKey: string({
      description: 'Ed25519, its 32 bytes in Base64.',
      examples: ['Kw1t0rY7u0mGZ3oI5b1rV9hQx2c8nD4pL6sJ7kT0aXE='],
    }),
    createdAt: time(),
    retiredAt: orNull(time(), { description: 'null: it signs checkpoints.', examples: [null] }),
  }),
)

export const logKeys = page(key)
