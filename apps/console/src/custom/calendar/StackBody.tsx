import { t } from '../../session/labels.ts'
import { hourLabel } from './calendar-state.ts'
import type { Stack } from './stack.ts'

/** "23 activities, 08:00 – 09:00: 18 Completed, 5 Missed". */
export const stackLabel = ({ count, hour, parts }: Stack): string =>
  `${count} ${t(count === 1 ? 'activity' : 'activities')}${hour === null ? '' : `, ${hourLabel(hour)}`}: ${parts.map((part) => `${part.count} ${part.name}`).join(', ')}`

/** What is in a stack: the number, a bar of its statuses, and how many of each as far as there is room. */
export function StackBody({ stack }: { stack: Stack }) {
  return (
    <span className="cal-body cal-stack-body" title={stackLabel(stack)}>
      <span className="cal-stack-count">
        <b>{stack.count}</b> <span className="cal-stack-word">{t(stack.count === 1 ? 'activity' : 'activities')}</span>
      </span>
      <span className="cal-stack-bar" aria-hidden>
        {stack.parts.map(({ name, tone, count }) => (
          <i key={name} className={`cal-${tone}`} style={{ flexGrow: count }} />
        ))}
      </span>
      {stack.hour === null ? null : (
        <span className="cal-stack-parts">
          {stack.parts.map(({ name, tone, count }) => (
            <span key={name} className={`cal-${tone}`}>
              {count} {name}
            </span>
          ))}
        </span>
      )}
    </span>
  )
}
