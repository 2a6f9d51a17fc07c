// A checkpoint states how many leaves the log has, and their root, signed with Ed25519. The signed text is the body of a
// checkpoint of C2SP (https://c2sp.org/tlog-checkpoint), with the time as an extension line.

import { createPrivateKey, createPublicKey, generateKeyPairSync, hash, sign, verify } from 'node:crypto'
import { isoTime } from '../platform/runtime/iso-time.ts'

/** `root` in Base64, `time` in milliseconds since 1970. */
export type CheckpointText = {
  readonly origin: string
  readonly size: number
  readonly root: string
  readonly time: number
}

/** `signature` in Base64. */
export type Checkpoint = CheckpointText & { readonly keyId: string; readonly signature: string }

export function signedText({ origin, size, root, time }: CheckpointText): string {
  return `${origin}\n${size}\n${root}\n${isoTime(time)}\n`
}

/** Both in Base64: the public key its 32 bytes, the private key PKCS #8. */
export type KeyPair = { readonly id: string; readonly publicKey: string; readonly privateKey: string }

export function newKeyPair(origin: string): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const bytes = Buffer.from(publicKey.export({ format: 'jwk' }).x as string, 'base64url')
  const exported = privateKey.export({ format: 'der', type: 'pkcs8' })
  return { id: keyIdOf(origin, bytes), publicKey: bytes.toString('base64'), privateKey: exported.toString('base64') }
}

const ED25519 = Buffer.from([1])

/** The key hash of a signed note (https://c2sp.org/signed-note), in hexadecimal. */
export function keyIdOf(origin: string, publicKey: Buffer): string {
  return hash('sha256', Buffer.concat([Buffer.from(`${origin}\n`), ED25519, publicKey]), 'hex').slice(0, 8)
}

/** Returns the signature in Base64. */
export function signCheckpoint(text: CheckpointText, privateKey: string): string {
  const key = createPrivateKey({ key: Buffer.from(privateKey, 'base64'), format: 'der', type: 'pkcs8' })
  return sign(null, Buffer.from(signedText(text)), key).toString('base64')
}

/** Returns false for a malformed key too. */
export function isSignedBy(checkpoint: Checkpoint, publicKey: string): boolean {
  const x = Buffer.from(publicKey, 'base64').toString('base64url')
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    return verify(null, Buffer.from(signedText(checkpoint)), key, Buffer.from(checkpoint.signature, 'base64'))
  } catch {
    return false
  }
}
