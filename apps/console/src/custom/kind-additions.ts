import type { KindAdditions } from '../offline/kinds.ts'
import { activityAddition } from './activity-visit/kept-activity.ts'
import { answerAddition } from './web-forms/kept-answer.ts'

/** What hand-made screens add to the kinds that devices keep, by type. Loaded at the start: unsent work is shown and sent before any screen is opened. */
export const kindAdditions: KindAdditions = { activity: activityAddition, webFormAnswer: answerAddition }
