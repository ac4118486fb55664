/** What the bell shows a message as (the specification's item types). */
export type NotificationItem = 'Activity' | 'Comment' | 'Message'

/** A person's wish for one kind of news, with the kind's words. */
export interface NotificationPreference {
  kind: string
  label: string
  help: string
  bell: boolean
  mail: boolean
  /** On the devices that the person registered. */
  push: boolean
}
