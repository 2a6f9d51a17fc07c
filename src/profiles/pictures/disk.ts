import { mkdirSync } from 'node:fs'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type EncodedPicture,
  isPictureKey,
  newPictureKey,
  type PictureStore,
  PicturesUnavailable,
  type StoredPicture,
  storedPicture,
} from './store.ts'

/** Pictures as files, in 256 folders within the given one. */
export function diskPictures(folder: string): PictureStore {
  // Created at once, so that a folder that cannot be created stops the start and not the first upload.
  mkdirSync(folder, { recursive: true })
  return {
    put: (picture) => put(folder, picture),
    get: (key) => get(folder, key),
    remove: (key) => remove(folder, key),
    // No file stays open between operations.
    close: async () => {},
  }
}

async function put(folder: string, picture: EncodedPicture): Promise<string> {
  const key = newPictureKey(picture)
  try {
    const subfolder = folderOf(folder, key)
    const created = await mkdir(subfolder, { recursive: true })
    if (created !== undefined) await syncFolder(folder)
    await writeAtomically(join(subfolder, key), picture.bytes)
    await syncFolder(subfolder)
  } catch (error) {
    throw unavailable('put', error)
  }
  return key
}

async function get(folder: string, key: string): Promise<StoredPicture | null> {
  if (!isPictureKey(key)) return null
  try {
    return storedPicture(key, await readFile(join(folderOf(folder, key), key)))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw unavailable('get', error)
  }
}

async function remove(folder: string, key: string): Promise<void> {
  if (!isPictureKey(key)) return
  try {
    await rm(join(folderOf(folder, key), key), { force: true })
  } catch (error) {
    throw unavailable('remove', error)
  }
}

// A folder with very many files is slow to list and to back up.
function folderOf(folder: string, key: string): string {
  return join(folder, key.slice(0, 2))
}

// Renamed only once it is completely on disk: a key has its complete picture or is unknown, even after a crash.
async function writeAtomically(path: string, bytes: Buffer): Promise<void> {
  const temporary = `${path}.tmp`
  try {
    const file = await open(temporary, 'wx')
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

// A new name survives a power failure only once its folder is written.
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

// A full or failing disk is for the operator to fix; no change to the request would make it succeed.
function unavailable(operation: string, error: unknown): PicturesUnavailable {
  return new PicturesUnavailable(`pictures: ${operation} on disk failed: ${codeOf(error)}`, { cause: error })
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
}
