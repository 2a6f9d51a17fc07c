import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../context.ts'
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
    if (isPictureKey(key) && known === pictureEtag(key)) return reply.code(304).header('etag', known).send()
    const picture = await context.pictures.get(key)
    return picture === null ? reply.callNotFound() : sendPicture(reply, picture, FOR_EVER)
  })
  app.get(context.config.pictures.default, async (request, reply) => {
    request.record.operation = 'picture'
    const picture = await fallback
    if (request.headers['if-none-match'] === picture.etag) return reply.code(304).header('etag', picture.etag).send()
    return sendPicture(reply, picture, FOR_A_DAY)
  })
}

function sendPicture(reply: FastifyReply, picture: StoredPicture, caching: string) {
  return reply
    .header('content-type', picture.mediaType)
    .header('cache-control', caching)
    .header('etag', picture.etag)
    .send(picture.bytes)
}
