import { byProfile, kindOf } from '../event-log/kind.ts'

const ofTip = kindOf('comment')

export const likeKinds = {
  'like.created': ofTip('The tip was liked.', byProfile),
  'like.ended': ofTip('A like of the tip was withdrawn.', byProfile),
}
