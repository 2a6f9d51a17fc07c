// Reads the header of a picture before anything is decoded: a file of 97 KB can hold 25,000,000 × 1 pixels, which took 1.1 GB.

export type Format = 'jpeg' | 'png' | 'gif'

type PictureHeader = {
  readonly format: Format
  readonly width: number
  readonly height: number
  /** What a decoder holds in memory at once. */
  readonly decodedBytes: number
  /** What a decoder works through, over all scans. */
  readonly scannedSamples: number
}

const SIGNATURES: readonly { format: Format; magic: Buffer }[] = [
  { format: 'jpeg', magic: Buffer.from([0xff, 0xd8, 0xff]) },
  { format: 'png', magic: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) },
  { format: 'gif', magic: Buffer.from('GIF87a') },
  { format: 'gif', magic: Buffer.from('GIF89a') },
]

export function isOfFormat(bytes: Buffer, format: Format): boolean {
  return SIGNATURES.some((one) => one.format === format && bytes.subarray(0, one.magic.length).equals(one.magic))
}

// Phones make JPEGs of 50 megapixels, which decode at a reduced scale. A PNG or GIF may need all of its pixels in memory.
const MAX_PIXELS: Readonly<Record<Format, number>> = { jpeg: 51_000_000, png: 25_000_000, gif: 25_000_000 }
/** 25 megapixels with 4 bytes each. */
const MAX_DECODED_BYTES = 100_000_000
/**
 * 12 scans of 16 megapixels in full colour: encoders write about 10. A scan of a few bytes can pass over all samples: 100 KB
 * with 2,600 scans of 16 megapixels would take seconds.
 */
const MAX_SCANNED_SAMPLES = 12 * 50_000_000
const MAX_SIDE = 20_000
/** A panorama has a ratio of 10 at most; the centre square of a longer strip shows nothing. */
const WIDEST_RATIO = 20

/** null: not a JPEG, PNG or GIF, or one beyond the limits. */
export function acceptableHeader(upload: Buffer): PictureHeader | null {
  const header = readHeader(upload)
  if (header === null) return null
  const { format, width, height, decodedBytes, scannedSamples } = header
  const [longer, shorter] = [Math.max(width, height), Math.min(width, height)]
  const isAcceptable =
    shorter > 0 &&
    longer <= MAX_SIDE &&
    longer <= shorter * WIDEST_RATIO &&
    width * height <= mostPixels(format) &&
    decodedBytes <= MAX_DECODED_BYTES &&
    scannedSamples <= MAX_SCANNED_SAMPLES
  return isAcceptable ? header : null
}

export function mostPixels(format: Format): number {
  return MAX_PIXELS[format]
}

export function readHeader(upload: Buffer): PictureHeader | null {
  const found = SIGNATURES.find(({ magic }) => upload.subarray(0, magic.length).equals(magic))
  if (found === undefined) return null
  try {
    return READERS[found.format](upload)
  } catch (error) {
    // Cut off before its header ends.
    if (error instanceof RangeError) return null
    throw error
  }
}

const READERS: Readonly<Record<Format, (upload: Buffer) => PictureHeader | null>> = {
  png: pngHeader,
  gif: gifHeader,
  jpeg: jpegHeader,
}

/** Channels by colour type; a palette becomes colours with transparency. */
const PNG_CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 4, 4: 2, 6: 4 }

function pngHeader(upload: Buffer): PictureHeader | null {
  if (upload.toString('latin1', 12, 16) !== 'IHDR') return null
  const [width, height] = [upload.readUInt32BE(16), upload.readUInt32BE(20)]
  const channels = PNG_CHANNELS[upload.readUInt8(25)]
  if (channels === undefined) return null
  const bytes = upload.readUInt8(24) === 16 ? 2 : 1
  return { format: 'png', width, height, decodedBytes: width * height * channels * bytes, scannedSamples: 0 }
}

/** The first frame may be larger than the screen in the header. */
function gifHeader(upload: Buffer): PictureHeader | null {
  const flags = upload.readUInt8(10)
  let at = 13 + colourTableSize(flags)
  while (upload.readUInt8(at) === 0x21) {
    at += 2
    for (let size = upload.readUInt8(at); size > 0; size = upload.readUInt8(at)) at += 1 + size
    at += 1
  }
  if (upload.readUInt8(at) !== 0x2c) return null
  const side = (offset: number) =>
    Math.max(
      upload.readUInt16LE(6 + offset),
      upload.readUInt16LE(at + 1 + offset) + upload.readUInt16LE(at + 5 + offset),
    )
  const [width, height] = [side(0), side(2)]
  return { format: 'gif', width, height, decodedBytes: width * height * 4, scannedSamples: 0 }
}

function colourTableSize(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0
}

const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
const isProgressive = (marker: number) => [0xc2, 0xc6, 0xca, 0xce].includes(marker)
const isRestart = (marker: number) => marker >= 0xd0 && marker <= 0xd7
const START_OF_SCAN = 0xda
const END_OF_IMAGE = 0xd9
const BYTES_OF_COEFFICIENT = 2

/** From the segment of the frame and that of the first scan, which shows whether there are several scans. */
function jpegHeader(upload: Buffer): PictureHeader | null {
  let frame: { marker: number; at: number } | null = null
  for (let at = 2; ; ) {
    if (upload.readUInt8(at) !== 0xff) return null
    const marker = upload.readUInt8(at + 1)
    // A marker may be preceded by any number of fill bytes.
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (isFrame(marker)) frame = { marker, at }
    if (marker === START_OF_SCAN) return frame === null ? null : frameHeader(upload, frame, at)
    at += 2 + upload.readUInt16BE(at + 2)
  }
}

function frameHeader(upload: Buffer, { marker, at }: { marker: number; at: number }, firstScan: number): PictureHeader {
  const [height, width, components] = [
    upload.readUInt16BE(at + 5),
    upload.readUInt16BE(at + 7),
    upload.readUInt8(at + 9),
  ]
  const samplings = Array.from({ length: components }, (_, index) => upload.readUInt8(at + 11 + 3 * index))
  const perComponent = samplings.map((sampling) => (sampling >> 4) * (sampling & 15))
  const samples = (width * height * perComponent.reduce((sum, one) => sum + one, 0)) / Math.max(1, ...perComponent)
  // With several scans all coefficients are held until the last one; with one scan, some rows.
  const isHeld = isProgressive(marker) || upload.readUInt8(firstScan + 4) < components
  return {
    ...{ format: 'jpeg', width, height },
    decodedBytes: isHeld ? samples * BYTES_OF_COEFFICIENT : 0,
    scannedSamples: isHeld ? samples * scansFrom(upload, firstScan) : samples,
  }
}

/** The number of scans until the end of the image, which more bytes may follow: phones append videos. */
function scansFrom(upload: Buffer, firstScan: number): number {
  let scans = 0
  for (let at = firstScan; at + 1 < upload.length; ) {
    const marker = upload[at + 1] as number
    // Within the data of a scan 0xff is followed by 0; elsewhere it may be repeated.
    if (upload[at] !== 0xff || marker === 0 || marker === 0xff) at += 1
    else if (isRestart(marker)) at += 2
    else if (marker === END_OF_IMAGE) return scans
    else {
      if (marker === START_OF_SCAN) scans += 1
      at += 2 + upload.readUInt16BE(at + 2)
    }
  }
  return scans
}
