import { createHash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Unavailable } from '../../platform/runtime/unavailable.ts'

export type EncodedPicture =
  | { bytes: Buffer; mediaType: 'image/jpeg'; extension: 'jpg' }
  | { bytes: Buffer; mediaType: 'image/png'; extension: 'png' }

export type StoredPicture = { bytes: Buffer; mediaType: string; etag: string }

export type PictureStore = {
  /** Stores a picture under a new key. The picture of a key never changes, so that it may be cached for ever. */
  put(picture: EncodedPicture): Promise<string>
  /** Null for a key that is unknown or malformed. */
  get(key: string): Promise<StoredPicture | null>
  /** Does nothing when there is no such picture. */
  remove(key: string): Promise<void>
  close(): Promise<void>
}

/** Pictures cannot be processed, read or written now. */
export class PicturesUnavailable extends Unavailable {
  override name = 'PicturesUnavailable'
}

const KEY_PATTERN = /^[0-9a-f]{32}\.(jpg|png)$/

// Random rather than a hash of the content: if two profiles with the same picture shared a key, removing one would remove the
// other.
export function newPictureKey(picture: EncodedPicture): string {
  return `${randomBytes(16).toString('hex')}.${picture.extension}`
}

// Every path and URL of a store is built from a key that passed this check, so that no other file or object can be reached.
export function isPictureKey(key: string): boolean {
  return KEY_PATTERN.test(key)
}

/** From the key, because the media type stored in a bucket may have been changed there. */
function pictureMediaType(key: string): EncodedPicture['mediaType'] {
  return key.endsWith('.png') ? 'image/png' : 'image/jpeg'
}

/** Known from the key alone, so that a conditional request can be answered without reading the picture. */
export function pictureEtag(key: string): string {
  return `"${key.slice(0, 32)}"`
}

export function storedPicture(key: string, bytes: Buffer): StoredPicture {
  return { bytes, mediaType: pictureMediaType(key), etag: pictureEtag(key) }
}

/** For profiles without a picture. Unlike a stored picture it may change with a release. */
export async function defaultPicture(): Promise<StoredPicture> {
  const bytes = await readFile(new URL('./default.png', import.meta.url))
  const etag = `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"`
  return { bytes, mediaType: 'image/png', etag }
}
