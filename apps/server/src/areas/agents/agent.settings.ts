import { choiceSetting } from '../../kernel/settings/define.ts'

const inField = { section: 'field', level: 'any' } as const

/** Whether people work only with a position. The session reads it by name: ctx.location_is_required. */
export const locationRule = choiceSetting({
  ...inField,
  name: 'locationRule',
  label: 'Location',
  help: 'Where it is required, agents begin and end the day, and take the steps of a visit, only with a position.',
  options: [
    { value: 'free', label: 'Not required' },
    { value: 'required', label: 'Required' },
  ],
})

const hours = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: `${String(hour).padStart(2, '0')}:00` }))

/** The hour at which a day that still runs is ended for its agent. */
export const dayEnd = choiceSetting({
  ...inField,
  name: 'dayEnd',
  label: 'End of a day that still runs',
  help: 'At this hour the day of an agent who forgot to end it is ended for them.',
  options: [{ value: 'never', label: 'Never' }, ...hours],
})
