import type { RelayTopics } from '@outpost/platform/relay'

/** Whose session changed: companyId is the user's home; without userId everybody of the company. */
export type SessionChange = RelayTopics['session.changed']
