// Written by `npm run client` from the operations of the service. Do not edit.

import type { Call, CallOptions, KeyedCallOptions } from '../call.ts'
import type { StreamEvent, WatchedState } from '../events.ts'
import type { StreamOptions } from '../stream.ts'
import type {
  Balance,
  Checkpoint,
  Comment,
  ConsistencyProof,
  Decision,
  Deposit,
  EndedSession,
  Exclusion,
  FinishChallengeAnswer,
  FollowEntry,
  Limits,
  ListedDeposit,
  ListedEvent,
  LogEntry,
  LogKey,
  MyProfile,
  Notifications,
  Payment,
  PaymentMethod,
  Profile,
  ProfileRecord,
  RankedProfile,
  RankedRecord,
  RecordTip,
  Session,
  SportsEvent,
  Statement,
  TipProofs,
  TopEvent,
  UnfollowedProfile,
  UpdatedProfile,
  Withdrawal,
  WithdrawalOptions,
} from './answers.ts'
import type {
  AppealDecisionParameters,
  BlockProfileParameters,
  CancelChallengeParameters,
  CheckTicketParameters,
  ConfirmMyLimitParameters,
  CreateCommentOnOutcomeIdParameters,
  CreateTicketParameters,
  DeactivateCommentParameters,
  EndTicketParameters,
  ExcludeMyselfParameters,
  FinishChallengeParameters,
  FlagCommentParameters,
  FlagProfileParameters,
  FollowProfileParameters,
  GetAllCommentbyProfileIdParameters,
  GetAllMyCommentsParameters,
  GetAllMyFollowingsCommentsParameters,
  GetCommentsByEventIdParameters,
  GetCommentsByIdParameters,
  GetDepositParameters,
  GetEventParameters,
  GetEventsParameters,
  GetFollowersParameters,
  GetFollowingsParameters,
  GetLatestFollowersParameters,
  GetLogConsistencyParameters,
  GetLogEntriesParameters,
  GetLogKeysParameters,
  GetLogParameters,
  GetLogProofsParameters,
  GetMostFollowedProfilesParameters,
  GetMyBalanceParameters,
  GetMyBlocksParameters,
  GetMyDepositsParameters,
  GetMyFollowersParameters,
  GetMyFollowingsParameters,
  GetMyLimitsParameters,
  GetMyModerationParameters,
  GetMyMutesParameters,
  GetMyNotificationsParameters,
  GetMyProfileParameters,
  GetMyStatementParameters,
  GetMyWithdrawalsParameters,
  GetPaymentMethodsByGetParameters,
  GetPaymentMethodsParameters,
  GetProfileParameters,
  GetRecordParameters,
  GetRecordRankingParameters,
  GetRecordTipsParameters,
  GetTopOutcomesParameters,
  GetWithdrawalOptionsParameters,
  GetWithdrawalParameters,
  LikeCommentParameters,
  MakeDepositParameters,
  MakeTransactionParameters,
  MakeWithdrawalParameters,
  MarkLimitsPromptedParameters,
  MarkMyNotificationsReadParameters,
  MuteProfileParameters,
  OpenStreamParameters,
  RemoveMyLimitParameters,
  RemoveMyPictureParameters,
  SearchCommentsParameters,
  SearchProfilesParameters,
  SetMyLimitParameters,
  SetMyPictureParameters,
  TakeTimeOutParameters,
  UnblockProfileParameters,
  UnflagCommentParameters,
  UnfollowProfileParameters,
  UnlikeCommentParameters,
  UnmuteProfileParameters,
  UpdateMyProfileParameters,
} from './parameters.ts'

/** A method for each operation. */
export interface Methods {
  /**
   * Log in: a session ticket for a customer.
   * `POST /v1/sessions/tickets`.
   * Faults: 20010 Missing request parameter (username, password); 10071 Invalid request parameter (username,
   * password, extended); 20000 The user name or password is not correct.
   */
  createTicket(parameters: CreateTicketParameters, options?: CallOptions): Call<Session>

  /**
   * Whether a ticket is alive: 204, or 404.
   * `HEAD /v1/sessions/tickets/{ticket}`.
   * Faults: 10070 Missing request parameter (ticket); 10071 Invalid request parameter (ticket); 10071 Invalid
   * request parameter: the session is unknown or over (ticket).
   */
  checkTicket(parameters: CheckTicketParameters, options?: CallOptions): Call<boolean>

  /**
   * Log out; the same answer when the session is already over.
   * `DELETE /v1/sessions/tickets/{ticket}`.
   * Faults: 10070 Missing request parameter (ticket); 10071 Invalid request parameter (ticket).
   */
  endTicket(parameters: EndTicketParameters, options?: CallOptions): Call<EndedSession>

  /**
   * A profile by id.
   * `GET /v1/profiles/{id}`, with or without a ticket.
   * Faults: 10070 Missing request parameter (id); 10071 Invalid request parameter (id, communities); 10071 Invalid
   * request parameter: the session is unknown or over (who-ticket); 30410 No profile found for id (id).
   */
  getProfile(parameters: GetProfileParameters, options?: CallOptions): Call<Profile>

  /**
   * Flag a profile for moderators.
   * `PUT /v1/profiles/{id}/flag`, with a ticket.
   * Faults: 10070 Missing request parameter (id, who-ticket); 10071 Invalid request parameter (id, reason, note);
   * 10071 Invalid request parameter: the session is unknown or over (who-ticket); 30410 No profile found for id
   * (id); 30460 You cannot flag your own profile (id).
   */
  flagProfile(parameters: FlagProfileParameters, options?: CallOptions): Call<void>

  /**
   * The followers of a profile, newest follow first.
   * `GET /v1/profiles/{id}/followers`, with or without a ticket.
   * Faults: 10070 Missing request parameter (id); 10071 Invalid request parameter (id, communities,
   * blockSize|blockNum); 10071 Invalid request parameter: the session is unknown or over (who-ticket); 30410 No
   * profile found for id (id).
   */
  getFollowers(parameters: GetFollowersParameters, options?: CallOptions): Call<Profile[]>

  /**
   * The profiles that a profile follows, newest follow first.
   * `GET /v1/profiles/{id}/followings`, with or without a ticket.
   * Faults: 10070 Missing request parameter (id); 10071 Invalid request parameter (id, communities,
   * blockSize|blockNum); 10071 Invalid request parameter: the session is unknown or over (who-ticket); 30410 No
   * profile found for id (id).
   */
  getFollowings(parameters: GetFollowingsParameters, options?: CallOptions): Call<Profile[]>

  /**
   * The caller’s own profile, created if absent.
   * `GET /v1/profiles/me`, with a ticket.
   * Faults: 10071 Invalid request parameter (communities); 10070 Missing request parameter (who-ticket); 10071
   * Invalid request parameter: the session is unknown or over (who-ticket).
   */
  getMyProfile(parameters?: GetMyProfileParameters, options?: CallOptions): Call<MyProfile>

  /**
   * Change the caller’s name or biography.
   * `PUT /v1/profiles/me`, with a ticket.
   * Faults: 10071 Invalid request parameter (name|biography); 10070 Missing request parameter (who-ticket); 10071
   * Invalid request parameter: the session is unknown or over (who-ticket); 30430 Profile name already taken
   * (name); 30431 The text has only ancillary characters (name, biography); 30432 The text has inappropriate
   * content (name, biography).
   */
  updateMyProfile(parameters?: UpdateMyProfileParameters, options?: CallOptions): Call<UpdatedProfile>

  /**
   * The caller’s followers; the call that creates the profile answers with its data.
   * `GET /v1/profiles/me/followers`, with a ticket.
   * Faults: 10071 Invalid request parameter (communities, blockSize|blockNum); 10070 Missing request parameter
   * (who-ticket); 10071 Invalid request parameter: the session is unknown or over (who-ticket).
   */
  getMyFollowers(parameters?: GetMyFollowersParameters, options?: CallOptions): Call<Profile[]>

  /**
   * Follow a profile.
   * `POST /v1/profiles/me/followings/{id}`, with a ticket.
   * Faults: 10070 Missing request parameter (id, who-ticket); 10071 Invalid request parameter (id); 10071 Invalid
   * request parameter: the session is unknown or over (who-ticket); 30410 No profile found for id (id); 30440 You
   * cannot create a follow relationship with yourself (id).
   */
  followProfile(parameters: FollowProfileParameters, options?: CallOptions): Call<void>

  /**
   * Stop following a profile.
   * `DELETE /v1/profiles/me/followings/{id}`, with a ticket.
   * Faults: 10070 Missing request parameter (id, who-ticket); 10071 Invalid request parameter (id); 10071 Invalid
   * request parameter: the session is unknown or over (who-ticket); 30410 No profile found for id (id).
   */
  unfollowProfile(parameters: UnfollowProfileParameters, options?: CallOptions): Call<UnfollowedProfile>

  /**
   * The profiles that the caller follows; the call that creates the profile answers with its data.
   * `GET /v1/profiles/me/followings`, with a ticket.
   * Faults: 10071 Invalid request parameter (communities, blockSize|blockNum); 10070 Missing request parameter
   * (who-ticket); 10071 Invalid request parameter: the session is unknown or over (who-ticket).
   */
  getMyFollowings(parameters?: GetMyFollowingsParameters, options?: CallOptions): Call<Profile[]>

  /**
   * The 20 latest follows across all profiles.
   * `GET /v1/profiles/followers/latestFollowers`, with a ticket.
   * Faults: 10071 Invalid request parameter (communities, who-apiKey, apiKey); 10070 Missing request parameter
   * (who-ticket); 10071 Invalid request parameter: the session is unknown or over (who-ticket).
   */
  getLatestFollowers(parameters?: GetLatestFollowersParameters, options?: CallOptions): Call<FollowEntry[][]>

  /**
   * The 20 most followed profiles, of all time or of the last days.
   * `GET /v1/profiles/followers/mostFollowed`, with or without a ticket.
   * Faults: 10071 Invalid request parameter (communities, numDays, who-apiKey, apiKey); 10071 Invalid request
   * parameter: the session is unknown or over (who-ticket).
   */
  getMostFollowedProfiles(parameters?: GetMostFollowedProfilesParameters, options?: CallOptions): Call<RankedProfile[]>

  /**
   * Upload the caller’s picture: the body is a jpg, gif or png of up to 10 MB.
   * `PUT /v1/profiles/me/picture`, with a ticket.
   * Faults: 10070 Missing request parameter (who-ticket); 10071 Invalid request parameter: the session is unknown
   * or over (who-ticket); 30450 The uploaded file exceeds the maximum file size; 30451 The file must be an image
   * of type jpg, gif or png.
   */
  setMyPicture(parameters: SetMyPictureParameters, options?: CallOptions): Call<UpdatedProfile>

  /**
   * Return to the default picture.
   * `DELETE /v1/profiles/me/picture`, with a ticket.
   * Faults: 10070 Missing request parameter (who-ticket); 10071 Invalid request parameter: the session is unknown
   * or over (who-ticket).
   */
  removeMyPicture(parameters?: RemoveMyPictureParameters, options?: CallOptions): Call<UpdatedProfile>

  /**
   * Mute a profile: its tips leave the caller’s home feed, and what it does is no longer notified; the profile
   * does not notice.
   * `PUT /v1/profiles/me/mutes/{id}`, with a ticket.
   * Faults: 10070 Missing request parameter (id, who-ticket); 10071 Invalid request parameter (id, hours); 10071
   * Invalid request parameter: the session is unknown or over (who-ticket); 30410 No profile found for id (id);
   * 30440 You cannot mute or block yourself (id); 30441 You cannot mute or block more than 5000 profiles (id).
   */
  muteProfile(parameters: MuteProfileParameters, options?: CallOptions): Call<void>

  /**
   * The profiles that the caller has muted, newest first.
   * `GET /v1/profiles/me/mutes`, with a ticket.
   * Faults: 10071 Invalid request parameter (communities, blockSize|blockNum); 10070 Missing request parameter
   * (who-ticket); 10071 Invalid request parameter: the session is unknown or over (who-ticket).
   */
  getMyMutes(parameters?: GetMyMutesParameters, options?: CallOptions): Call<Profile[]>

  /**
   * Take back a mute.
   * `DELETE /v1/profiles/me/mutes/{id}`, with a ticket.
   * Faults: 10070 Missing request parameter (id, who-ticket); 10071 Invalid request parameter (id); 10071 Invalid
   * request parameter: the session is unknown or over (who-ticket); 30410 No profile found for id (id).
   */
  unmuteProfile(parameters: UnmuteProfileParameters, options?: CallOptions): Call<UnfollowedProfile>

  /**
   * Block a profile: neither sees, follows, likes or flags the other; ends follows between them, which taking it
   * back does not restore.
   * `PUT /v1/profiles/me/blocks/{id}`, with a ticket.
   * Faults: 10070 Missing request parameter (id, who-ticket); 10071 Invalid request parameter (id); 10071 Invalid
   * request parameter: the session is unknown or over (who-ticket); 30410 No profile found for id (id); 30440 You
   * cannot mute or block yourself (id); 30441 You cannot mute or block more than 5000 profiles (id).
   */
  blockProfile(parameters: BlockProfileParameters, options?: CallOptions): Call<void>

  /**
   * The profiles that the caller has blocked, newest first.
   * `GET /v1/profiles/me/blocks`, with a ticket.
   * Faults: 10071 Invalid request parameter (communities, blockSize|blockNum); 10070 Missing request parameter
   * (who-ticket); 10071 Invalid request parameter: the session is unknown or over (who-ticket).
   */
  getMyBlocks(parameters?: GetMyBlocksParameters, options?: CallOptions): Call<Profile[]>

  /**
   * Take back a block.
   * `DELETE /v1/profiles/me/blocks/{id}`, with a ticket.
   * Faults: 10070 Missing request parameter (id, who-ticket); 10071 Invalid request parameter (id); 10071 Invalid
   * request parameter: the session is unknown or over (who-ticket); 30410 No profile found for id (id).
   */
  unblockProfile(parameters: UnblockProfileParameters, options?: CallOptions): Call<UnfollowedProfile>

  /**
   * What happened to the caller’s profile and tips, newest first, grouped; unread ones are counted up to 1000.
   * `GET /v1/profiles/me/notifications`, with a ticket.
   * Faults: 10071 Invalid request parameter (blockSize|blockNum); 10070 Missing request parameter (who-ticket);
   * 10071 Invalid request parameter: the session is unknown or over (who-ticket).
   */
  getMyNotifications(parameters?: GetMyNotificationsParameters, options?: CallOptions): Call<Notifications>

  /**
   * Mark the caller’s notifications as read, up to the newest one that was seen.
   * `PUT /v1/profiles/me/notifications/read`, with a ticket.
   * Faults: 10070 Missing request parameter (upTo, who-ticket); 10071 Invalid request parameter (upTo); 10071
   * Invalid request parameter: the session is unknown or over (who-ticket).
   */
  markMyNotificationsRead(parameters: MarkMyNotificationsReadParameters, options?: CallOptions): Call<void>

  /**
   * What the tips of a profile won or lost, with one point on each: all settled ones that count, withdrawn ones
   * too.
   * `GET /v1/profiles/{id}/record`, with or without a ticket.
   * Faults: 10070 Missing request parameter (id); 10071 Invalid request parameter (id, sportId, numDays, band,
   * inPlay); 10071 Invalid request parameter: the session is unknown or over (who-ticket); 30410 No profile found
   * for id (id).
   */
  getRecord(parameters: GetRecordParameters, options?: CallOptions): Call<ProfileRecord>

  /**
   * All settled tips of a profile’s record, the newest settlement first: losing and withdrawn ones too.
   * `GET /v1/profiles/{id}/record/tips`, with or without a ticket.
   * Faults: 10070 Missing request parameter (id); 10071 Invalid request parameter (id, status, inPlay,
   * blockSize|blockNum); 10071 Invalid request parameter: the session is unknown or over (who-ticket); 30410 No
   * profile found for id (id).
   */
  getRecordTips(parameters: GetRecordTipsParameters, options?: CallOptions): Call<RecordTip[]>

  /**
   * The 20 profiles with the best records of tips before the start, by the lower end of the yield’s interval; then
   * by more settled tips, then by lower id.
   * `GET /v1/profiles/ranking/records`, with or without a ticket.
   * Faults: 10071 Invalid request parameter (numDays, sportId, band); 10071 Invalid request parameter: the session
   * is unknown or over (who-ticket).
   */
  getRecordRanking(parameters?: GetRecordRankingParameters, options?: CallOptions): Call<RankedRecord[]>

  /**
   * A comment by id.
   * `GET /v1/communities/comments/{id}`, with or without a ticket.
   * Faults: 10070 Missing request parameter (id); 10071 Invalid request parameter (id, details); 10071 Invalid
   * request parameter: the session is unknown or over (who-ticket); 30500 No comment found for id (id).
   */
  getCommentsById(parameters: GetCommentsByIdParameters, options?: CallOptions): Call<Comment>

  /**
   * Deactivate the caller’s own comment.
   * `PUT /v1/communities/comments/{id}`, with a ticket.
   * Faults: 10070 Missing request parameter (id, who-ticket); 10071 Invalid request parameter (id); 10071 Invalid
   * request parameter: the session is unknown or over (who-ticket).
   */
  deactivateComment(parameters: DeactivateCommentParameters, options?: CallOptions): Call<void>

  /**
   * Flag a comment for moderators.
   * `POST /v1/communities/comments/{id}/flag`, with a ticket.
   * Faults: 10070 Missing request parameter (id, who-ticket); 10071 Invalid request parameter (id, reason, note);
   * 10071 Invalid request parameter: the session is unknown or over (who-ticket); 30500 No comment found for id
   * (id).
   */
  flagComment(parameters: FlagCommentParameters, options?: CallOptions): Call<void>

  /**
   * Withdraw the caller’s flag.
   * `DELETE /v1/communities/comments/{id}/flag`, with a ticket.
   * Faults: 10070 Missing request parameter (id, who-ticket); 10071 Invalid request parameter (id); 10071 Invalid
   * request parameter: the session is unknown or over (who-ticket); 30500 No comment found for id (id).
   */
  unflagComment(parameters: UnflagCommentParameters, options?: CallOptions): Call<void>

  /**
   * Like a comment.
   * `POST /v1/communities/comments/{id}/like`, with a ticket.
   * Faults: 10070 Missing request parameter (id, who-ticket); 10071 Invalid request parameter (id); 10071 Invalid
   * request parameter: the session is unknown or over (who-ticket); 30500 No comment found for id (id).
   */
  likeComment(parameters: LikeCommentParameters, options?: CallOptions): Call<void>

  /**
   * Withdraw the caller’s like.
   * `DELETE /v1/communities/comments/{id}/like`, with a ticket.
   * Faults: 10070 Missing request parameter (id, who-ticket); 10071 Invalid request parameter (id); 10071 Invalid
   * request parameter: the session is unknown or over (who-ticket); 30500 No comment found for id (id).
   */
  unlikeComment(parameters: UnlikeCommentParameters, options?: CallOptions): Call<void>

  /**
   * Create a tip on an outcome of one of the caller’s bets.
   * `POST /v1/communities/comments/me/outcomes/{id}`, with a ticket.
   * Faults: 10070 Missing request parameter (outcomeId, betId, text, who-ticket); 10071 Invalid request parameter
   * (outcomeId, betId, linkedOutcomeId, priceNum, priceDen, startingPrice, text, details); 10071 Invalid request
   * parameter: the session is unknown or over (who-ticket); 30431 The text has only ancillary characters (text);
   * 30432 The text has inappropriate content (text); 30490 The outcome is not active (id); 30492 The sport of the
   * outcome is not enabled for communities ({id}); 30491 The profile is not active; 30520 A tip is already created
   * against this bet (betId).
   */
  createCommentOnOutcomeId(parameters: CreateCommentOnOutcomeIdParameters, options?: CallOptions): Call<Comment>

  /**
   * The comments of a profile.
   * `GET /v1/communities/comments/profiles/{id}`, with or without a ticket.
   * Faults: 10070 Missing request parameter (profileId, status); 10071 Invalid request parameter (profileId,
   * status, sportId, sortOrder, blockSize|blockNum, details); 10071 Invalid request parameter: the session is
   * unknown or over (who-ticket); 30410 No profile found for id (profileId).
   */
  getAllCommentbyProfileId(parameters: GetAllCommentbyProfileIdParameters, options?: CallOptions): Call<Comment[]>

  /**
   * The caller’s own comments.
   * `GET /v1/communities/comments/profiles/me`, with a ticket.
   * Faults: 10070 Missing request parameter (status, who-ticket); 10071 Invalid request parameter (status,
   * sportId, sortOrder, blockSize|blockNum, details); 10071 Invalid request parameter: the session is unknown or
   * over (who-ticket); 30410 No profile found for id.
   */
  getAllMyComments(parameters: GetAllMyCommentsParameters, options?: CallOptions): Call<Comment[]>

  /**
   * The 20 outcomes with the most live comments.
   * `GET /v1/communities/comments/outcomes/top`, with or without a ticket.
   * Faults: 10071 Invalid request parameter: the session is unknown or over (who-ticket).
   */
  getTopOutcomes(parameters?: GetTopOutcomesParameters, options?: CallOptions): Call<TopEvent[]>

  /**
   * The comments of all profiles that the caller follows.
   * `GET /v1/communities/comments/profiles/me/followings`, with a ticket.
   * Faults: 10070 Missing request parameter (status, who-ticket); 10071 Invalid request parameter (status,
   * sportId, sortOrder, blockSize|blockNum, details); 10071 Invalid request parameter: the session is unknown or
   * over (who-ticket); 30410 No profile found for id.
   */
  getAllMyFollowingsComments(parameters: GetAllMyFollowingsCommentsParameters, options?: CallOptions): Call<Comment[]>

  /**
   * Events, the one whose start is nearest to now first, each with its first market.
   * `GET /v1/communities/events`, with or without a ticket.
   * Faults: 10071 Invalid request parameter (status, sportId, blockSize|blockNum); 10071 Invalid request
   * parameter: the session is unknown or over (who-ticket).
   */
  getEvents(parameters?: GetEventsParameters, options?: CallOptions): Call<ListedEvent[]>

  /**
   * An event with its markets, prices, price history and results.
   * `GET /v1/communities/events/{id}`, with or without a ticket.
   * Faults: 10070 Missing request parameter (id); 10071 Invalid request parameter (id); 10071 Invalid request
   * parameter: the session is unknown or over (who-ticket); 30530 No event found for id (id).
   */
  getEvent(parameters: GetEventParameters, options?: CallOptions): Call<SportsEvent>

  /**
   * All comments on an event, newest first: losing ones and the caller’s own too.
   * `GET /v1/communities/events/{id}/comments`, with or without a ticket.
   * Faults: 10070 Missing request parameter (id); 10071 Invalid request parameter (id, blockSize|blockNum,
   * details); 10071 Invalid request parameter: the session is unknown or over (who-ticket); 30530 No event found
   * for id (id).
   */
  getCommentsByEventId(parameters: GetCommentsByEventIdParameters, options?: CallOptions): Call<Comment[]>

  /**
   * Profiles by their name or biography, those whose name has all words first.
   * `GET /v1/search/profiles`, with or without a ticket.
   * Faults: 10070 Missing request parameter (q); 10071 Invalid request parameter (q, communities,
   * blockSize|blockNum); 10071 Invalid request parameter: the session is unknown or over (who-ticket).
   */
  searchProfiles(parameters: SearchProfilesParameters, options?: CallOptions): Call<Profile[]>

  /**
   * Comments by their text, newest first.
   * `GET /v1/search/comments`, with or without a ticket.
   * Faults: 10070 Missing request parameter (q); 10071 Invalid request parameter (q, blockSize|blockNum, details);
   * 10071 Invalid request parameter: the session is unknown or over (who-ticket).
   */
  searchComments(parameters: SearchCommentsParameters, options?: CallOptions): Call<Comment[]>

  /**
   * Moderators’ decisions on the caller’s content, with their reasons, and on what the caller flagged, newest
   * first.
   * `GET /v1/moderation/me`, with a ticket.
   * Faults: 10071 Invalid request parameter (blockSize|blockNum); 10070 Missing request parameter (who-ticket);
   * 10071 Invalid request parameter: the session is unknown or over (who-ticket).
   */
  getMyModeration(parameters?: GetMyModerationParameters, options?: CallOptions): Call<Decision[]>

  /**
   * Appeal against a decision on the caller’s content, or against the rejection of the caller’s flag.
   * `POST /v1/moderation/me/{decisionId}/appeal`, with a ticket.
   * Faults: 10070 Missing request parameter (decisionId, text, who-ticket); 10071 Invalid request parameter
   * (decisionId, text); 10071 Invalid request parameter: the session is unknown or over (who-ticket); 30600 No
   * decision found for id (decisionId); 30610 The decision cannot be appealed, or no longer (decisionId); 30611
   * The decision is already appealed (decisionId).
   */
  appealDecision(parameters: AppealDecisionParameters, options?: CallOptions): Call<void>

  /**
   * The newest signed checkpoint of the log of tips.
   * `GET /v1/communities/log`.
   */
  getLog(parameters?: GetLogParameters, options?: CallOptions): Call<Checkpoint>

  /**
   * Every entry of the log that names a tip, with the proof that the checkpoint contains it.
   * `GET /v1/communities/log/proofs/{commentId}`.
   * Faults: 10070 Missing request parameter (commentId); 10071 Invalid request parameter (commentId); 30500 No
   * comment found for id (commentId).
   */
  getLogProofs(parameters: GetLogProofsParameters, options?: CallOptions): Call<TipProofs>

  /**
   * The proof that the log, when it had `second` entries, began with the `first` entries it had before.
   * `GET /v1/communities/log/consistency`.
   * Faults: 10070 Missing request parameter (first, second); 10071 Invalid request parameter (first, second).
   */
  getLogConsistency(parameters: GetLogConsistencyParameters, options?: CallOptions): Call<ConsistencyProof>

  /**
   * Entries of the log in their order; of tips also what they are now.
   * `GET /v1/communities/log/entries`.
   * Faults: 10071 Invalid request parameter (start, count, leavesOnly).
   */
  getLogEntries(parameters?: GetLogEntriesParameters, options?: CallOptions): Call<LogEntry[]>

  /**
   * The public keys of the log, retired ones too.
   * `GET /v1/communities/log/keys`.
   */
  getLogKeys(parameters?: GetLogKeysParameters, options?: CallOptions): Call<LogKey[]>

  /**
   * Deposit into the caller’s account with a registered card.
   * `POST /v1/wallets/me`, with a ticket.
   * Faults: 10070 Missing request parameter (transactionType, amount, id, cv2); 10071 Invalid request parameter
   * (transactionType, amount, id, cv2, Idempotency-Key); 24009 Invalid CV2 number (cv2); 10070 Missing request
   * parameter (who-ticket); 10071 Invalid request parameter: the session is unknown or over (who-ticket); 24001
   * Invalid payment method id (transactionType); 24002 The deposit is less than the allowed minimum (amount);
   * 24003 The deposit is greater than the allowed maximum (amount); 24004 Invalid permission level; 24005 Payment
   * authorisation failed; 24006 Invalid card number; 24007 Insufficient funds; 24008 Daily deposit limit exceeded;
   * 24010 Invalid expiry date; 24011 Still processing last transaction; 24015 The protection of customer funds
   * statement has not been accepted; 24008 The limit that you have set for your deposits would be exceeded (day,
   * week, month).
   */
  makeTransaction(parameters: MakeTransactionParameters, options?: KeyedCallOptions): Call<Payment>

  /**
   * The caller’s registered payment methods.
   * `POST /v1/wallets/me/methods`, with a ticket.
   * Faults: 10070 Missing request parameter (who-ticket); 10071 Invalid request parameter: the session is unknown
   * or over (who-ticket); 24000 No payment methods available.
   */
  getPaymentMethods(parameters?: GetPaymentMethodsParameters, options?: CallOptions): Call<PaymentMethod[]>

  /**
   * The caller’s registered payment methods.
   * `GET /v1/wallets/me/methods`, with a ticket.
   * Faults: 10070 Missing request parameter (who-ticket); 10071 Invalid request parameter: the session is unknown
   * or over (who-ticket); 24000 No payment methods available.
   */
  getPaymentMethodsByGet(parameters?: GetPaymentMethodsByGetParameters, options?: CallOptions): Call<PaymentMethod[]>

  /**
   * Deposit with a registered card whose issuer may ask the customer to confirm (3-D Secure).
   * `POST /v1/wallets/me/deposits`, with a ticket.
   * Faults: 10070 Missing request parameter (amount, id, cv2, returnUrl); 10071 Invalid request parameter (amount,
   * id, cv2, returnUrl, userAgent, acceptHeader, language, colorDepth, screenWidth, screenHeight, timeZoneOffset,
   * javaEnabled, ip, Idempotency-Key); 24009 Invalid CV2 number (cv2); 10070 Missing request parameter
   * (who-ticket); 10071 Invalid request parameter: the session is unknown or over (who-ticket); 24001 Invalid
   * payment method id (transactionType); 24002 The deposit is less than the allowed minimum (amount); 24003 The
   * deposit is greater than the allowed maximum (amount); 24004 Invalid permission level; 24005 Payment
   * authorisation failed; 24006 Invalid card number; 24007 Insufficient funds; 24008 Daily deposit limit exceeded;
   * 24010 Invalid expiry date; 24011 Still processing last transaction; 24015 The protection of customer funds
   * statement has not been accepted; 24008 The limit that you have set for your deposits would be exceeded (day,
   * week, month).
   */
  makeDeposit(parameters: MakeDepositParameters, options?: KeyedCallOptions): Call<Deposit>

  /**
   * The caller’s deposits, newest first, those that failed too.
   * `GET /v1/wallets/me/deposits`, with a ticket.
   * Faults: 10071 Invalid request parameter (blockSize|blockNum); 10070 Missing request parameter (who-ticket);
   * 10071 Invalid request parameter: the session is unknown or over (who-ticket).
   */
  getMyDeposits(parameters?: GetMyDepositsParameters, options?: CallOptions): Call<ListedDeposit[]>

  /**
   * The state of one of the caller’s deposits, for a browser that lost its page.
   * `GET /v1/wallets/me/deposits/{paymentId}`, with a ticket.
   * Faults: 10070 Missing request parameter (paymentId); 10071 Invalid request parameter (paymentId); 10070
   * Missing request parameter (who-ticket); 10071 Invalid request parameter: the session is unknown or over
   * (who-ticket); 24011 Still processing last transaction.
   */
  getDeposit(parameters: GetDepositParameters, options?: CallOptions): Call<Deposit>

  /**
   * Finish a deposit after the issuer sent the customer back.
   * `POST /v1/wallets/me/deposits/{paymentId}/challenge`, with a ticket.
   * Faults: 10070 Missing request parameter (paymentId, redirectResult); 10071 Invalid request parameter
   * (paymentId, redirectResult); 10070 Missing request parameter (who-ticket); 10071 Invalid request parameter:
   * the session is unknown or over (who-ticket); 24001 Invalid payment method id (transactionType); 24002 The
   * deposit is less than the allowed minimum (amount); 24003 The deposit is greater than the allowed maximum
   * (amount); 24004 Invalid permission level; 24005 Payment authorisation failed; 24006 Invalid card number; 24007
   * Insufficient funds; 24008 Daily deposit limit exceeded; 24009 Invalid CV2 number (cv2); 24010 Invalid expiry
   * date; 24011 Still processing last transaction; 24015 The protection of customer funds statement has not been
   * accepted; 24008 The limit that you have set for your deposits would be exceeded (day, week, month).
   */
  finishChallenge(parameters: FinishChallengeParameters, options?: CallOptions): Call<FinishChallengeAnswer>

  /**
   * Give up a deposit that waits for the customer at the issuer; the same answer when it is decided already.
   * `DELETE /v1/wallets/me/deposits/{paymentId}/challenge`, with a ticket.
   * Faults: 10070 Missing request parameter (paymentId); 10071 Invalid request parameter (paymentId); 10070
   * Missing request parameter (who-ticket); 10071 Invalid request parameter: the session is unknown or over
   * (who-ticket); 24011 Still processing last transaction.
   */
  cancelChallenge(parameters: CancelChallengeParameters, options?: CallOptions): Call<Deposit>

  /**
   * The caller’s balance.
   * `GET /v1/wallets/me/balance`, with a ticket.
   * Faults: 10070 Missing request parameter (who-ticket); 10071 Invalid request parameter: the session is unknown
   * or over (who-ticket).
   */
  getMyBalance(parameters?: GetMyBalanceParameters, options?: CallOptions): Call<Balance>

  /**
   * The lines of the caller’s account, with the balance after each.
   * `GET /v1/wallets/me/statement`, with a ticket.
   * Faults: 10071 Invalid request parameter (from, to, order, blockSize|blockNum); 10070 Missing request parameter
   * (who-ticket); 10071 Invalid request parameter: the session is unknown or over (who-ticket).
   */
  getMyStatement(parameters?: GetMyStatementParameters, options?: CallOptions): Call<Statement>

  /**
   * How much the caller can withdraw to which card.
   * `GET /v1/wallets/me/withdrawals/options`, with a ticket.
   * Faults: 10070 Missing request parameter (who-ticket); 10071 Invalid request parameter: the session is unknown
   * or over (who-ticket).
   */
  getWithdrawalOptions(parameters?: GetWithdrawalOptionsParameters, options?: CallOptions): Call<WithdrawalOptions>

  /**
   * Withdraw money to a registered card.
   * `POST /v1/wallets/me/withdrawals`, with a ticket.
   * Faults: 10070 Missing request parameter (amount, id); 10071 Invalid request parameter (amount, id,
   * Idempotency-Key); 10070 Missing request parameter (who-ticket); 10071 Invalid request parameter: the session
   * is unknown or over (who-ticket); 24001 Nothing can be withdrawn to this payment method: choose one of the
   * withdrawal options (transactionType); 24002 A withdrawal must be of more than 0 (amount); 24003 The withdrawal
   * is greater than this payment method may get: withdraw at most its max in the withdrawal options, which say why
   * (amount); 24007 Insufficient funds.
   */
  makeWithdrawal(parameters: MakeWithdrawalParameters, options?: KeyedCallOptions): Call<Withdrawal>

  /**
   * The caller’s withdrawals, newest first.
   * `GET /v1/wallets/me/withdrawals`, with a ticket.
   * Faults: 10071 Invalid request parameter (blockSize|blockNum); 10070 Missing request parameter (who-ticket);
   * 10071 Invalid request parameter: the session is unknown or over (who-ticket).
   */
  getMyWithdrawals(parameters?: GetMyWithdrawalsParameters, options?: CallOptions): Call<Withdrawal[]>

  /**
   * One of the caller’s withdrawals.
   * `GET /v1/wallets/me/withdrawals/{id}`, with a ticket.
   * Faults: 10070 Missing request parameter (id); 10071 Invalid request parameter (id); 10070 Missing request
   * parameter (who-ticket); 10071 Invalid request parameter: the session is unknown or over (who-ticket).
   */
  getWithdrawal(parameters: GetWithdrawalParameters, options?: CallOptions): Call<Withdrawal>

  /**
   * The limits that the caller has set for their deposits.
   * `GET /v1/wallets/me/limits`, with a ticket.
   * Faults: 10070 Missing request parameter (who-ticket); 10071 Invalid request parameter: the session is unknown
   * or over (who-ticket).
   */
  getMyLimits(parameters?: GetMyLimitsParameters, options?: CallOptions): Call<Limits>

  /**
   * Record that the caller was prompted for limits.
   * `PUT /v1/wallets/me/limits`, with a ticket.
   * Faults: 10070 Missing request parameter (prompted); 10071 Invalid request parameter (prompted); 10070 Missing
   * request parameter (who-ticket); 10071 Invalid request parameter: the session is unknown or over (who-ticket).
   */
  markLimitsPrompted(parameters: MarkLimitsPromptedParameters, options?: CallOptions): Call<Limits>

  /**
   * Set a limit, at once, or request a higher one, to be confirmed 24 hours later.
   * `PUT /v1/wallets/me/limits/{period}`, with a ticket.
   * Faults: 10070 Missing request parameter (period, amount); 10071 Invalid request parameter (period, amount);
   * 10070 Missing request parameter (who-ticket); 10071 Invalid request parameter: the session is unknown or over
   * (who-ticket).
   */
  setMyLimit(parameters: SetMyLimitParameters, options?: CallOptions): Call<Limits>

  /**
   * Request to have no limit, to be confirmed 24 hours later.
   * `DELETE /v1/wallets/me/limits/{period}`, with a ticket.
   * Faults: 10070 Missing request parameter (period); 10071 Invalid request parameter (period); 10070 Missing
   * request parameter (who-ticket); 10071 Invalid request parameter: the session is unknown or over (who-ticket).
   */
  removeMyLimit(parameters: RemoveMyLimitParameters, options?: CallOptions): Call<Limits>

  /**
   * Put a requested limit into force, from 24 hours to 7 days after the request.
   * `POST /v1/wallets/me/limits/{period}/confirmation`, with a ticket.
   * Faults: 10070 Missing request parameter (period); 10071 Invalid request parameter (period); 10070 Missing
   * request parameter (who-ticket); 10071 Invalid request parameter: the session is unknown or over (who-ticket).
   */
  confirmMyLimit(parameters: ConfirmMyLimitParameters, options?: CallOptions): Call<Limits>

  /**
   * Lock the caller out for some hours. Ends all sessions; nothing shortens it.
   * `PUT /v1/wallets/me/time-out`, with a ticket.
   * Faults: 10070 Missing request parameter (hours); 10071 Invalid request parameter (hours); 10070 Missing
   * request parameter (who-ticket); 10071 Invalid request parameter: the session is unknown or over (who-ticket).
   */
  takeTimeOut(parameters: TakeTimeOutParameters, options?: CallOptions): Call<Exclusion>

  /**
   * Self-exclusion for some months, and until the caller requests to return. Ends all sessions; nothing shortens
   * it.
   * `PUT /v1/wallets/me/exclusion`, with a ticket.
   * Faults: 10070 Missing request parameter (months); 10071 Invalid request parameter (months); 10070 Missing
   * request parameter (who-ticket); 10071 Invalid request parameter: the session is unknown or over (who-ticket).
   */
  excludeMyself(parameters: ExcludeMyselfParameters, options?: CallOptions): Call<Exclusion>

  /**
   * What concerns the customer, as it happens, as server-sent events.
   * `GET /v1/stream`, with a ticket.
   * Faults: 10071 Invalid request parameter (Last-Event-ID, lastEventId, outcomes, account); 10070 Missing request
   * parameter (who-ticket); 10071 Invalid request parameter: the session is unknown or over (who-ticket).
   */
  openStream(
    parameters?: OpenStreamParameters,
    options?: StreamOptions,
  ): AsyncGenerator<StreamEvent | WatchedState, void>
}
