import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { diskPictures } from '../../src/profiles/pictures/disk.ts'
import { defaultPicture, type EncodedPicture, PicturesUnavailable } from '../../src/profiles/pictures/store.ts'

const jpeg: EncodedPicture = { bytes: Buffer.from('bytes of a jpeg'), mediaType: 'image/jpeg', extension: 'jpg' }
const png: EncodedPicture = { bytes: Buffer.from('bytes of a png'), mediaType: 'image/png', extension: 'png' }
const malformed = [
  '',
  '.',
  '..',
  '../secret',
  `../../${'a'.repeat(32)}.jpg`,
  `${'a'.repeat(32)}.jpg/../../secret`,
  `${'a'.repeat(32)}.jpg\n`,
  `${'a'.repeat(32)}.jpg\0`,
  `${'a'.repeat(32)}.jpg.tmp`,
  `${'a'.repeat(32)}.gif`,
  `${'A'.repeat(32)}.jpg`,
  `${'a'.repeat(31)}.jpg`,
  `/${'a'.repeat(31)}.jpg`,
  `..%2f${'a'.repeat(32)}.jpg`,
]

let above: string
let folder: string

beforeEach(async () => {
  above = await mkdtemp(join(tmpdir(), 'pictures-'))
  folder = join(above, 'not', 'yet', 'there')
})

afterEach(async () => {
  await rm(above, { recursive: true, force: true })
})

async function files(): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name)
}

describe('pictures on disk', () => {
  test('a missing folder is created', async () => {
    diskPictures(folder)
    expect(await readdir(folder)).toEqual([])
  })

  test('a stored picture is read back, also by a later store', async () => {
    const store = diskPictures(folder)
    const first = await store.put(jpeg)
    const second = await store.put(png)
    expect(first).toMatch(/^[0-9a-f]{32}\.jpg$/)
    expect(second).toMatch(/^[0-9a-f]{32}\.png$/)
    await store.close()

    const later = diskPictures(folder)
    expect(await later.get(first)).toEqual({
      bytes: jpeg.bytes,
      mediaType: 'image/jpeg',
      etag: `"${first.slice(0, 32)}"`,
    })
    expect(await later.get(second)).toMatchObject({ bytes: png.bytes, mediaType: 'image/png' })
  })

  test('a picture is stored in the folder of its first two characters, and no temporary file remains', async () => {
    const store = diskPictures(folder)
    const keys = await Promise.all(Array.from({ length: 40 }, () => store.put(jpeg)))
    expect((await files()).sort()).toEqual([...keys].sort())
    for (const key of keys) expect(await readFile(join(folder, key.slice(0, 2), key))).toEqual(jpeg.bytes)
  })

  test('the same picture stored twice has two keys, and removing one keeps the other', async () => {
    const store = diskPictures(folder)
    const [one, other] = [await store.put(jpeg), await store.put(jpeg)]
    expect(one).not.toBe(other)
    await store.remove(one)
    await store.remove(one)
    expect(await store.get(one)).toBeNull()
    expect(await store.get(other)).toMatchObject({ bytes: jpeg.bytes })
  })
})

describe('missing pictures and failing disks', () => {
  test('an unknown key has no picture', async () => {
    const store = diskPictures(folder)
    expect(await store.get(`${'0'.repeat(32)}.jpg`)).toBeNull()
    await store.remove(`${'0'.repeat(32)}.jpg`)
  })

  test.each(malformed)('the malformed key %j has no picture', async (key) => {
    const store = diskPictures(folder)
    const beside = [join(above, 'secret'), join(folder, 'secret'), join(above, 'not', `${'a'.repeat(32)}.jpg`)]
    await mkdir(join(folder, 'aa'))
    for (const path of [...beside, join(folder, 'aa', `${'a'.repeat(32)}.jpg.tmp`)]) await writeFile(path, 'secret')
    expect(await store.get(key)).toBeNull()
    await store.remove(key)
    for (const path of beside) expect(await readFile(path, 'utf8')).toBe('secret')
  })

  test('a failing disk throws PicturesUnavailable, and no temporary file remains', async () => {
    const store = diskPictures(folder)
    const shelves = Array.from({ length: 256 }, (_, index) => index.toString(16).padStart(2, '0'))
    for (const shelf of shelves) await writeFile(join(folder, shelf), '')
    await expect(store.put(jpeg)).rejects.toThrow(PicturesUnavailable)
    await expect(store.put(jpeg)).rejects.toThrow(/^pictures: put on disk failed: E[A-Z]+$/)
    expect((await files()).sort()).toEqual(shelves)

    const key = `${'b'.repeat(32)}.jpg`
    await rm(join(folder, 'bb'))
    await mkdir(join(folder, 'bb', key), { recursive: true })
    await expect(store.get(key)).rejects.toThrow(PicturesUnavailable)
    await expect(store.remove(key)).rejects.toThrow(PicturesUnavailable)
  })

  test('a folder that cannot be created prevents the start', async () => {
    await writeFile(join(above, 'file'), '')
    expect(() => diskPictures(join(above, 'file', 'folder'))).toThrow()
  })
})

test('the default picture is a small square PNG', async () => {
  const { bytes, mediaType, etag } = await defaultPicture()
  expect(mediaType).toBe('image/png')
  expect(etag).toMatch(/^"[0-9a-f]{32}"$/)
  expect(bytes.length).toBeLessThan(8_000)
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 512, height: 512 })
})
