// Written by `npm run client` from the operations of the service. Do not edit.

import type { CallOptions } from '../call.ts'
import type { Comment, Decision, Notification, Profile, RecordTip } from './answers.ts'
import type {
  GetAllCommentbyProfileIdParameters,
  GetAllMyCommentsParameters,
  GetAllMyFollowingsCommentsParameters,
  GetFollowersParameters,
  GetFollowingsParameters,
  GetMyBlocksParameters,
  GetMyFollowersParameters,
  GetMyFollowingsParameters,
  GetMyModerationParameters,
  GetMyMutesParameters,
  GetMyNotificationsParameters,
  GetRecordTipsParameters,
  SearchCommentsParameters,
  SearchProfilesParameters,
} from './parameters.ts'

/** An iterator over all blocks, for each operation that answers in blocks. */
export interface Each {
  /** The followers of a profile, newest follow first. */
  getFollowers(
    parameters: Omit<GetFollowersParameters, 'blockNum'>,
    options?: CallOptions,
  ): AsyncGenerator<Profile, void>

  /** The profiles that a profile follows, newest follow first. */
  getFollowings(
    parameters: Omit<GetFollowingsParameters, 'blockNum'>,
    options?: CallOptions,
  ): AsyncGenerator<Profile, void>

  /** The caller’s followers; the call that creates the profile answers with its data. */
  getMyFollowers(
    parameters?: Omit<GetMyFollowersParameters, 'blockNum'>,
    options?: CallOptions,
  ): AsyncGenerator<Profile, void>

  /** The profiles that the caller follows; the call that creates the profile answers with its data. */
  getMyFollowings(
    parameters?: Omit<GetMyFollowingsParameters, 'blockNum'>,
    options?: CallOptions,
  ): AsyncGenerator<Profile, void>

  /** The profiles that the caller has muted, newest first. */
  getMyMutes(parameters?: Omit<GetMyMutesParameters, 'blockNum'>, options?: CallOptions): AsyncGenerator<Profile, void>

  /** The profiles that the caller has blocked, newest first. */
  getMyBlocks(
    parameters?: Omit<GetMyBlocksParameters, 'blockNum'>,
    options?: CallOptions,
  ): AsyncGenerator<Profile, void>

  /** What happened to the caller’s profile and tips, newest first, grouped; unread ones are counted up to 1000. */
  getMyNotifications(
    parameters?: Omit<GetMyNotificationsParameters, 'blockNum'>,
    options?: CallOptions,
  ): AsyncGenerator<Notification, void>

  /** All settled tips of a profile’s record, newest first: losing and withdrawn ones too. */
  getRecordTips(
    parameters: Omit<GetRecordTipsParameters, 'blockNum'>,
    options?: CallOptions,
  ): AsyncGenerator<RecordTip, void>

  /** The comments of a profile. */
  getAllCommentbyProfileId(
    parameters: Omit<GetAllCommentbyProfileIdParameters, 'blockNum'>,
    options?: CallOptions,
  ): AsyncGenerator<Comment, void>

  /** The caller’s own comments. */
  getAllMyComments(
    parameters: Omit<GetAllMyCommentsParameters, 'blockNum'>,
    options?: CallOptions,
  ): AsyncGenerator<Comment, void>

  /** The comments of all profiles that the caller follows. */
  getAllMyFollowingsComments(
    parameters: Omit<GetAllMyFollowingsCommentsParameters, 'blockNum'>,
    options?: CallOptions,
  ): AsyncGenerator<Comment, void>

  /** Profiles by their name or biography, those whose name has all words first. */
  searchProfiles(
    parameters: Omit<SearchProfilesParameters, 'blockNum'>,
    options?: CallOptions,
  ): AsyncGenerator<Profile, void>

  /** Comments by their text, newest first. */
  searchComments(
    parameters: Omit<SearchCommentsParameters, 'blockNum'>,
    options?: CallOptions,
  ): AsyncGenerator<Comment, void>

  /**
   * Moderators’ decisions on the caller’s content, with their reasons, and on what the caller flagged, newest
   * first.
   */
  getMyModeration(
    parameters?: Omit<GetMyModerationParameters, 'blockNum'>,
    options?: CallOptions,
  ): AsyncGenerator<Decision, void>
}
