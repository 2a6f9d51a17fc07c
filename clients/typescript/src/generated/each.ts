// Written by `npm run client` from the operations of the service. Do not edit.

import type { List } from '../blocks.ts'
import type { CallOptions } from '../call.ts'
import type {
  Comment,
  Decision,
  ListedDeposit,
  ListedEvent,
  Notification,
  Profile,
  RecordTip,
  StatementLine,
  Withdrawal,
} from './answers.ts'
import type {
  GetAllCommentbyProfileIdParameters,
  GetAllMyCommentsParameters,
  GetAllMyFollowingsCommentsParameters,
  GetCommentsByEventIdParameters,
  GetEventsParameters,
  GetFollowersParameters,
  GetFollowingsParameters,
  GetMyBlocksParameters,
  GetMyDepositsParameters,
  GetMyFollowersParameters,
  GetMyFollowingsParameters,
  GetMyModerationParameters,
  GetMyMutesParameters,
  GetMyNotificationsParameters,
  GetMyStatementParameters,
  GetMyWithdrawalsParameters,
  GetRecordTipsParameters,
  SearchCommentsParameters,
  SearchProfilesParameters,
} from './parameters.ts'

/** An iterator over all blocks, for each operation that answers in blocks. */
export interface Each {
  /** The followers of a profile, newest follow first. */
  getFollowers(parameters: Omit<GetFollowersParameters, 'blockNum'>, options?: CallOptions): List<Profile>

  /** The profiles that a profile follows, newest follow first. */
  getFollowings(parameters: Omit<GetFollowingsParameters, 'blockNum'>, options?: CallOptions): List<Profile>

  /** The caller’s followers; the call that creates the profile answers with its data. */
  getMyFollowers(parameters?: Omit<GetMyFollowersParameters, 'blockNum'>, options?: CallOptions): List<Profile>

  /** The profiles that the caller follows; the call that creates the profile answers with its data. */
  getMyFollowings(parameters?: Omit<GetMyFollowingsParameters, 'blockNum'>, options?: CallOptions): List<Profile>

  /** The profiles that the caller has muted, newest first. */
  getMyMutes(parameters?: Omit<GetMyMutesParameters, 'blockNum'>, options?: CallOptions): List<Profile>

  /** The profiles that the caller has blocked, newest first. */
  getMyBlocks(parameters?: Omit<GetMyBlocksParameters, 'blockNum'>, options?: CallOptions): List<Profile>

  /** What happened to the caller’s profile and tips, newest first, grouped; unread ones are counted up to 1000. */
  getMyNotifications(
    parameters?: Omit<GetMyNotificationsParameters, 'blockNum'>,
    options?: CallOptions,
  ): List<Notification>

  /** All settled tips of a profile’s record, the newest settlement first: losing and withdrawn ones too. */
  getRecordTips(parameters: Omit<GetRecordTipsParameters, 'blockNum'>, options?: CallOptions): List<RecordTip>

  /** The comments of a profile. */
  getAllCommentbyProfileId(
    parameters: Omit<GetAllCommentbyProfileIdParameters, 'blockNum'>,
    options?: CallOptions,
  ): List<Comment>

  /** The caller’s own comments. */
  getAllMyComments(parameters: Omit<GetAllMyCommentsParameters, 'blockNum'>, options?: CallOptions): List<Comment>

  /** The comments of all profiles that the caller follows. */
  getAllMyFollowingsComments(
    parameters: Omit<GetAllMyFollowingsCommentsParameters, 'blockNum'>,
    options?: CallOptions,
  ): List<Comment>

  /** Events, the one whose start is nearest to now first, each with its first market. */
  getEvents(parameters?: Omit<GetEventsParameters, 'blockNum'>, options?: CallOptions): List<ListedEvent>

  /** All comments on an event, newest first: losing ones and the caller’s own too. */
  getCommentsByEventId(
    parameters: Omit<GetCommentsByEventIdParameters, 'blockNum'>,
    options?: CallOptions,
  ): List<Comment>

  /** Profiles by their name or biography, those whose name has all words first. */
  searchProfiles(parameters: Omit<SearchProfilesParameters, 'blockNum'>, options?: CallOptions): List<Profile>

  /** Comments by their text, newest first. */
  searchComments(parameters: Omit<SearchCommentsParameters, 'blockNum'>, options?: CallOptions): List<Comment>

  /**
   * Moderators’ decisions on the caller’s content, with their reasons, and on what the caller flagged, newest
   * first.
   */
  getMyModeration(parameters?: Omit<GetMyModerationParameters, 'blockNum'>, options?: CallOptions): List<Decision>

  /** The caller’s deposits, newest first, those that failed too. */
  getMyDeposits(parameters?: Omit<GetMyDepositsParameters, 'blockNum'>, options?: CallOptions): List<ListedDeposit>

  /** The lines of the caller’s account, with the balance after each. */
  getMyStatement(parameters?: Omit<GetMyStatementParameters, 'blockNum'>, options?: CallOptions): List<StatementLine>

  /** The caller’s withdrawals, newest first. */
  getMyWithdrawals(parameters?: Omit<GetMyWithdrawalsParameters, 'blockNum'>, options?: CallOptions): List<Withdrawal>
}
