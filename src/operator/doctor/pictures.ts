import { accessSync, constants, existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../platform/config/config.ts'
import { tryBucket } from '../../profiles/pictures/s3.ts'
import type { Check } from '../health/checks.ts'
import { type Probe, part, sentence } from './probe.ts'

const { good, warning, critical } = part('pictures', 'Pictures')

export const pictures: Probe = {
  name: 'pictures',
  title: 'Pictures',
  run: ({ config }) => (config.pictures.store === 's3' ? bucket(config) : folder(join(config.dataFolder, 'pictures'))),
}

function folder(path: string): Check[] {
  if (!existsSync(path)) return [good(`The first start creates ${path}.`)]
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
    return [good(`${path} can be read and written.`)]
  } catch {
    return [critical(`${path} cannot be read and written by this account.`, `chown it to the account of the service.`)]
  }
}

/** Nothing is written, so whether the key may write is not known. */
async function bucket(config: Config): Promise<Check[]> {
  try {
    await tryBucket({ ...config.pictures.s3, timeoutMs: 4_000 })
    return [good('The bucket answers, and accepts the key for reading. Writing was not tried.')]
  } catch (error) {
    const detail = sentence((error as Error).message.replace(/^pictures: /, ''))
    if (/\(AccessDenied\)/.test(detail)) {
      return [warning(detail, 'Give the key s3:ListBucket, GetObject, PutObject and DeleteObject for S3_BUCKET.')]
    }
    return [
      critical(detail, 'Compare the settings S3_… with those of the bucket, and see that this machine reaches it.'),
    ]
  }
}
