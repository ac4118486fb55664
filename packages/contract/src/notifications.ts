/** Kinds of news, with the words that preferences show. What concerns one's own account is always told. */
export const notificationKinds = {
  activities: { label: 'Activities', help: 'Visits and stops given to you, your day ended for you' },
  leads: { label: 'Leads', help: 'Leads assigned to you, answers to consent requests' },
  cases: { label: 'Cases', help: 'Cases given to you' },
  comments: { label: 'Comments', help: 'What colleagues write on your records' },
  targets: { label: 'Targets', help: 'Half, nine tenths and all of a target reached' },
  fleet: { label: 'Tracking', help: 'What the rules of the fleet tell you' },
  other: { label: 'Everything else', help: 'News of no other kind' },
} as const
export type NotificationKind = keyof typeof notificationKinds

/** What the bell shows a message as (the specification's item types). */
export type NotificationItem = 'Activity' | 'Comment' | 'Message'

/** A person's wish for one kind. */
export interface NotificationPreference { kind: NotificationKind, bell: boolean, mail: boolean }
