import { byProfile, kindOf, noData } from '../event-log/kind.ts'

const ofProfile = kindOf('profile')

export const profileKinds = {
  'profile.created': ofProfile('A customer’s profile was created.', noData),
  'follow.created': ofProfile('The profile has a new follower.', byProfile),
  'follow.ended': ofProfile('A follower left the profile.', byProfile),
}
