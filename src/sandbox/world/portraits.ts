// Pictures of the sandbox's customers: a head and shoulders in the colours of a jockey or a team, drawn from the customer's id.
// They are uploaded as customers would do it, so that the service stores and serves them like any other.

import { crc32, deflateSync } from 'node:zlib'
import { setOwnPicture } from '../../profiles/picture.ts'
import { PicturesUnavailable } from '../../profiles/pictures/store.ts'
import { ensureProfile, getOwnProfile } from '../../profiles/profile.ts'
import { pictureAddress } from '../../profiles/profile-view.ts'
import type { SandboxContext } from '../context.ts'
import { at } from './communities.ts'
import { draw } from './draw.ts'

const SIDE = 128
/** Each pixel is the mean of so many times so many points: edges are smooth. */
const POINTS = 2

type Colour = readonly [red: number, green: number, blue: number]
/** Of a point, with x and y from -1 to 1, y downwards. */
type Paint = (x: number, y: number) => Colour

/** Every step can be repeated. Without a store for pictures everybody keeps the default. */
export async function seedPortraits(
  context: SandboxContext,
  customerIds: readonly number[],
  time: number,
): Promise<void> {
  try {
    for (const customerId of customerIds) {
      const { id } = await ensureProfile(context, customerId)
      const { picture } = await getOwnProfile(context, id, false)
      if (picture !== pictureAddress(context.config, null)) continue
      await setOwnPicture(at(context, time), customerId, pngOf(portraitOf(customerId)))
    }
  } catch (error) {
    if (!(error instanceof PicturesUnavailable)) throw error
    context.log.warn({ err: error }, 'the sandbox’s portraits could not be stored')
  }
}

// ---- The drawing

const BACKGROUNDS: readonly Colour[] = [
  [214, 228, 240],
  [240, 226, 206],
  [217, 234, 217],
  [235, 219, 234],
  [245, 231, 190],
  [205, 224, 222],
]
const SKINS: readonly Colour[] = [
  [247, 214, 190],
  [229, 182, 148],
  [198, 142, 104],
  [150, 99, 67],
  [101, 66, 46],
]
const HAIRS: readonly Colour[] = [
  [43, 34, 30],
  [92, 60, 38],
  [168, 116, 58],
  [205, 175, 120],
  [150, 150, 150],
  [128, 54, 32],
]
const SILKS: readonly Colour[] = [
  [178, 34, 52],
  [20, 74, 140],
  [24, 120, 80],
  [240, 178, 30],
  [94, 44, 130],
  [230, 100, 30],
  [30, 34, 48],
  [250, 250, 245],
]

/** Which of two colours the silks have at a point. */
const PATTERNS: readonly ((x: number, y: number) => boolean)[] = [
  () => false,
  (x) => x > 0,
  (_, y) => Math.floor(y * 7) % 2 === 0,
  (x) => Math.floor((x + 1) * 6) % 2 === 0,
  (x, y) => Math.floor((x + y + 2) * 5) % 2 === 0,
  (x, y) => Math.hypot((((x + 1) * 4) % 1) - 0.5, (((y + 1) * 4) % 1) - 0.5) < 0.28,
  (x) => Math.abs(x) < 0.16,
]

/** Where the hair ends: short, a fringe, long, or a cap with its peak. */
const HAIRCUTS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => y < -0.46 + 0.25 * x * x,
  (x, y) => y < -0.34 + 0.2 * x,
  (x, y) => y < -0.42 || (Math.abs(x) > 0.3 && y < 0.3),
  (x, y) => y < -0.36 || (y < -0.3 && x > 0),
]

export function portraitOf(id: number): Paint {
  const one = <T>(items: readonly T[], purpose: number): T => items[draw(id, 1, purpose) % items.length] as T
  const [background, skin, hair] = [one(BACKGROUNDS, 1), one(SKINS, 2), one(HAIRS, 3)]
  const first = draw(id, 1, 4) % SILKS.length
  const second = (first + 1 + (draw(id, 1, 5) % (SILKS.length - 1))) % SILKS.length
  const silks = [SILKS[first], SILKS[second]] as [Colour, Colour]
  const [isSecond, isHair] = [one(PATTERNS, 6), one(HAIRCUTS, 7)]
  // The fourth haircut is a cap.
  const onHead = isHair === HAIRCUTS[3] ? silks[1] : hair
  return (x, y) => {
    const head = Math.hypot(x / 0.4, (y + 0.2) / 0.48)
    if (head < 1) return isEye(x, y) ? [40, 34, 34] : isSmile(x, y) ? shade(skin, 0.62) : isHair(x, y) ? onHead : skin
    if (head < 1.14 && isHair(x, y)) return onHead
    if (Math.abs(x) < 0.15 && y > 0.1 && y < 0.5) return shade(skin, 0.86)
    if (Math.hypot(x / 0.82, (y - 1.05) / 0.68) < 1) return silks[isSecond(x, y) ? 1 : 0]
    return shade(background, 1 - 0.1 * (y + 1))
  }
}

function isEye(x: number, y: number): boolean {
  return Math.hypot(Math.abs(x) - 0.15, y + 0.18) < 0.04
}

function isSmile(x: number, y: number): boolean {
  const distance = Math.hypot(x, y + 0.08)
  return y > 0.02 && distance > 0.15 && distance < 0.18
}

function shade([red, green, blue]: Colour, times: number): Colour {
  return [red * times, green * times, blue * times]
}

// ---- PNG: 8 bits for each of red, green and blue, lines without a filter (ISO/IEC 15948)

export function pngOf(paint: Paint): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(SIDE, 0)
  header.writeUInt32BE(SIDE, 4)
  header.set([8, 2], 8)
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(pixelsOf(paint))), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts])
}

function pixelsOf(paint: Paint): Buffer {
  const line = 1 + SIDE * 3
  const pixels = Buffer.alloc(line * SIDE)
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) pixels.set(meanColour(paint, x, y), y * line + 1 + x * 3)
  }
  return pixels
}

function meanColour(paint: Paint, x: number, y: number): number[] {
  const sum = [0, 0, 0] as [number, number, number]
  for (let point = 0; point < POINTS * POINTS; point++) {
    const [dx, dy] = [(point % POINTS) + 0.5, Math.floor(point / POINTS) + 0.5]
    const [red, green, blue] = paint(((x + dx / POINTS) / SIDE) * 2 - 1, ((y + dy / POINTS) / SIDE) * 2 - 1)
    sum[0] += red
    sum[1] += green
    sum[2] += blue
  }
  return sum.map((value) => Math.round(Math.min(255, value / (POINTS * POINTS))))
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const ends = Buffer.alloc(8)
  ends.writeUInt32BE(data.length, 0)
  ends.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)])
}
