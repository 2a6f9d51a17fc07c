// Verifies a log from outside, with nothing but what it publishes: signature, entries against the signed root, consistency
// with what was seen before, and the contents of the entries (verify-leaves.ts).

import { type Checkpoint, isSignedBy, keyIdOf } from './checkpoint.ts'
import { leafHash, type Tree, treeOf, verifyConsistency } from './merkle.ts'
import { type LeafReader, leafReader, type VerifiedEntry } from './verify-leaves.ts'

export type PublishedKey = {
  readonly id: string
  readonly publicKey: string
  /** Milliseconds since 1970; null: it is in use. */
  readonly retired: number | null
}

/** Where the log is read. */
export type LogSource = {
  checkpoint(): Promise<Checkpoint>
  keys(): Promise<PublishedKey[]>
  consistency(first: number, second: number): Promise<Buffer[]>
  entries(start: number, count: number): Promise<VerifiedEntry[]>
}

/** What an earlier verification saw. */
export type SeenLog = {
  readonly origin: string
  readonly size: number
  readonly root: string
  readonly time: number
  readonly keys: { readonly [id: string]: string }
}

type Options = {
  readonly seen: SeenLog | null
  /** How often, and after which pause, tips are read again that differ from the log: a change reaches it within seconds. */
  readonly patience: { readonly times: number; readonly pause: () => Promise<unknown> }
  readonly progress: (read: number, size: number) => void
}

export type Verification = {
  readonly checkpoint: Checkpoint
  readonly keys: readonly PublishedKey[]
  readonly leaves: LeafReader
  /** What is wrong, and what that means. Empty: nothing. */
  readonly problems: readonly string[]
}

const BLOCK = 1000

export async function verifyLog(source: LogSource, options: Options): Promise<Verification> {
  const { seen, patience, progress } = options
  const log: ReadLog = { source, progress, hashes: [], leaves: leafReader(), problems: [] }
  const { problems, hashes, leaves } = log
  let checkpoint = await source.checkpoint()
  if (seen !== null) problems.push(...(await compareWithSeen(source, seen, checkpoint)))
  let isComplete = await readUpTo(log, checkpoint.size)
  let differing = leaves.differing()
  for (let turn = 0; isComplete && differing.length > 0 && turn < patience.times; turn++) {
    await patience.pause()
    checkpoint = await source.checkpoint()
    isComplete = await readUpTo(log, checkpoint.size)
    await readAgain(log, differing)
    const still = new Set(leaves.differing())
    const left = differing.filter((id) => still.has(id))
    // As long as some of them reach the log, the others may be on their way.
    if (left.length < differing.length) turn = -1
    differing = left
  }
  if (isComplete) {
    problems.push(...(await checkRoot(source, hashes, checkpoint)))
    if (seen !== null && seen.size <= hashes.length) problems.push(...checkSeenRoot(hashes, seen))
  }
  const keys = await source.keys()
  problems.push(...checkKeys(keys, checkpoint, seen), ...leaves.problems, ...differing.map(leaves.differenceOf))
  return { checkpoint, keys, leaves, problems: [...new Set(problems)] }
}

type ReadLog = Pick<Options, 'progress'> & {
  readonly source: LogSource
  readonly hashes: Buffer[]
  readonly leaves: LeafReader
  readonly problems: string[]
}

/** false: entries are missing. */
async function readUpTo({ source, hashes, leaves, problems, progress }: ReadLog, size: number): Promise<boolean> {
  while (hashes.length < size) {
    const begin = hashes.length
    const block = await source.entries(begin, Math.min(BLOCK, size - begin))
    if (block.length === 0 || block.some(({ index }, place) => index !== begin + place)) {
      problems.push(`Entry ${begin} of ${size}, or one of the next ${BLOCK}, is missing: somebody has removed it.`)
      return false
    }
    for (const entry of block) {
      hashes.push(leafHash(entry.leaf))
      leaves.read(entry)
    }
    progress(hashes.length, size)
  }
  return true
}

/** What these tips are now. */
async function readAgain({ source, leaves }: ReadLog, tips: readonly string[]): Promise<void> {
  const blocks = new Set(tips.map((id) => Math.floor(leaves.indexOf(id) / BLOCK) * BLOCK))
  for (const start of blocks) for (const entry of await source.entries(start, BLOCK)) leaves.update(entry)
}

async function compareWithSeen(source: LogSource, seen: SeenLog, now: Checkpoint): Promise<string[]> {
  if (seen.origin !== now.origin) {
    return [`This is another log: ${now.origin}. At this address was ${seen.origin} before; it was replaced.`]
  }
  if (now.size < seen.size) {
    return [
      `The log went back: it had ${seen.size} entries at ${isoSecond(seen.time)}, and has ${now.size} now. It was restored from a backup that is older, or entries were removed. ${seen.size - now.size} entries that were published are lost.`,
    ]
  }
  const earlier = { size: seen.size, root: Buffer.from(seen.root, 'base64') }
  const later = { size: now.size, root: Buffer.from(now.root, 'base64') }
  const proof = await source.consistency(seen.size, now.size)
  return verifyConsistency(earlier, later, proof) ? [] : [rewritten(seen)]
}

function rewritten(seen: SeenLog): string {
  return `The log is not consistent with the checkpoint of ${isoSecond(seen.time)} (${seen.size} entries): entries that were published then have been changed or removed since.`
}

function checkSeenRoot(hashes: readonly Buffer[], seen: SeenLog): string[] {
  return treeOf(hashes, seen.size).root.toString('base64') === seen.root ? [] : [rewritten(seen)]
}

async function checkRoot(source: LogSource, hashes: readonly Buffer[], checkpoint: Checkpoint): Promise<string[]> {
  const signed = { size: checkpoint.size, root: Buffer.from(checkpoint.root, 'base64') }
  if (hashes.length === signed.size && treeOf(hashes).root.equals(signed.root)) return []
  const first = hashes.length < signed.size ? null : await firstDifference(source, hashes, signed)
  const where = first === null ? '' : ` The first that differs is entry ${first}.`
  return [
    `The entries do not give the signed root: a tip, a settlement or a withdrawal was changed after it was logged.${where}`,
  ]
}

/** By halving: the longest beginning of the entries that is consistent with the signed tree. */
async function firstDifference(source: LogSource, hashes: readonly Buffer[], signed: Tree): Promise<number> {
  const isRight = async (size: number): Promise<boolean> => {
    const proof = await source.consistency(size, signed.size)
    return verifyConsistency(treeOf(hashes, size), signed, proof)
  }
  let [right, wrong] = [0, signed.size]
  while (wrong - right > 1) {
    const middle = Math.floor((right + wrong) / 2)
    if (await isRight(middle)) right = middle
    else wrong = middle
  }
  return right
}

function checkKeys(keys: readonly PublishedKey[], checkpoint: Checkpoint, seen: SeenLog | null): string[] {
  const problems: string[] = []
  const { origin, keyId, time } = checkpoint
  const key = keys.find(({ id }) => id === keyId)
  if (key === undefined) problems.push(`The key ${keyId}, which signed the checkpoint, is not published.`)
  else if (keyIdOf(origin, Buffer.from(key.publicKey, 'base64')) !== keyId || !isSignedBy(checkpoint, key.publicKey)) {
    problems.push(`The checkpoint is not signed by the key ${keyId}: it was changed, or comes from somebody else.`)
  } else if (key.retired !== null && key.retired < time) {
    problems.push(`The checkpoint is signed by the key ${keyId}, which was retired before.`)
  }
  for (const [id, publicKey] of Object.entries(seen?.origin === origin ? seen.keys : {})) {
    if (keys.find((one) => one.id === id)?.publicKey !== publicKey) {
      problems.push(`The key ${id} is no longer published: earlier checkpoints cannot be verified by others.`)
    }
  }
  return problems
}

function isoSecond(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`
}
