import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../platform/context.ts'
import { hasCurrentCopy } from '../../platform/runtime/etags.ts'
import { defaultPicture, isPictureKey, type PictureStore, pictureEtag, type StoredPicture } from './store.ts'

type PicturesContext = Context & { readonly pictures: PictureStore }

const FOR_EVER = 'public, max-age=31536000, immutable'
const FOR_A_DAY = 'public, max-age=86400'

/** Pictures are public, and the picture of an address never changes. */
export function servePictures(app: FastifyInstance, context: PicturesContext): void {
  const fallback = defaultPicture()
  app.get<{ Params: { key: string } }>('/pictures/:key', async (request, reply) => {
    request.record.operation = 'picture'
    const { key } = request.params
    const known = request.headers['if-none-match']
    // Without reading the picture; any (`*`) is another matter, because there may be none.
    if (isPictureKey(key) && known?.includes('*') === false && hasCurrentCopy(known, pictureEtag(key))) {
      return reply
        .code(304)
        .headers({ etag: pictureEtag(key), 'cache-control': FOR_EVER })
        .send()
    }
    const picture = await context.pictures.get(key)
    return picture === null ? reply.callNotFound() : sendPicture(request, reply, picture, FOR_EVER)
  })
  app.get(context.config.pictures.default, async (request, reply) => {
    request.record.operation = 'picture'
    return sendPicture(request, reply, await fallback, FOR_A_DAY)
  })
}

function sendPicture(request: FastifyRequest, reply: FastifyReply, picture: StoredPicture, caching: string) {
  const { mediaType, etag, bytes } = picture
  reply.headers({ etag, 'cache-control': caching })
  if (hasCurrentCopy(request.headers['if-none-match'], etag)) return reply.code(304).send()
  return reply.header('content-type', mediaType).send(bytes)
}
