// The answers that the screens show, under the names that they have here.

export type {
  Balance,
  Comment as Tip,
  Decision,
  Deposit,
  Limit,
  Limits,
  ListedDeposit,
  MyProfile as OwnProfile,
  Notification,
  Payment,
  PaymentMethod,
  Profile,
  RecordFigures,
  RecordTip,
  Statement,
  StatementLine,
  TopEvent,
  Withdrawal,
  WithdrawalOption,
} from '@paddock/client'
