// The files of a data folder that belong into a backup beside the database.

import { constants, copyFileSync, existsSync, linkSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { copyDatabase, syncPath } from '../sqlite/backup.ts'
import type { Progress } from './manifest.ts'

export const PICTURES = 'pictures'
/** The sandbox's bank has the payments that its deposits refer to. */
export const SANDBOX_BANK = 'sandbox-gateway.db'
/** Made at the first start, where OPERATOR_TOKEN is not set. */
export const TOKEN = 'operator-token'

/** Pictures never change, so that a link is as good as a copy while the disk is. */
export type PictureCopies = 'copied' | 'linked'

/**
 * Copies the pictures that are not there yet. Called before the database is copied and again afterwards: a picture that a row of the copy
 * names was there before, or came since.
 */
export function copyPictures(from: string, to: string, how: PictureCopies, progress: Progress): void {
  const names = picturesIn(from).filter((name) => !existsSync(join(to, PICTURES, name)))
  for (const [index, name] of names.entries()) {
    copyPicture(join(from, PICTURES, name), join(to, PICTURES, name), how)
    progress('copying pictures', index + 1, names.length)
  }
}

function copyPicture(from: string, to: string, how: PictureCopies): void {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 })
  try {
    if (how === 'linked') linkSync(from, to)
    else {
      copyFileSync(from, to, constants.COPYFILE_FICLONE)
      syncPath(to)
    }
  } catch (error) {
    const { code = '' } = error as { code?: string }
    if (how === 'linked' && NO_LINK.includes(code)) copyPicture(from, to, 'copied')
    // One that was replaced meanwhile is gone, and no row names it.
    else if (code !== 'ENOENT' || existsSync(from)) throw error
  }
}

const NO_LINK = ['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP']

/** `ab/ab…png` */
export function picturesIn(folder: string): string[] {
  const pictures = join(folder, PICTURES)
  if (!existsSync(pictures)) return []
  return readdirSync(pictures)
    .filter((inner) => statSync(join(pictures, inner)).isDirectory())
    .flatMap((inner) => readdirSync(join(pictures, inner)).map((name) => join(inner, name)))
    .filter((name) => !name.endsWith('.tmp'))
}

/** Returns the names of what was there. */
export function copyOthers(from: string, to: string): string[] {
  const copied = [SANDBOX_BANK, TOKEN].filter((name) => existsSync(join(from, name)))
  if (copied.includes(SANDBOX_BANK)) copyDatabase(join(from, SANDBOX_BANK), join(to, SANDBOX_BANK))
  if (copied.includes(TOKEN)) {
    copyFileSync(join(from, TOKEN), join(to, TOKEN))
    syncPath(join(to, TOKEN))
  }
  return copied
}
