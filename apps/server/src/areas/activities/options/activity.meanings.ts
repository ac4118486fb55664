import { activityMeaningNames, activityMeanings } from '@outpost/rules/activities/activity-status'

const colours = { open: 'gold', started: 'blue', done: 'green', missed: 'red', cancelled: 'default' } as const

/** Options of every meaning, coloured as its usual status is. */
export const meaningOptions = activityMeaningNames.map((value) => ({ value, label: activityMeanings[value].label, colour: colours[value] }))
