import { Link } from '@tanstack/react-router'
import { Alert } from 'antd'
import { t } from '../../session/labels.ts'
import { useSession } from '../../session/session.ts'
import type { Warned } from './useWarning.ts'

/** Stands for the numbers while the sentence around them is found in the language. */
const hole = '\uFFFC'

/** What is to be known before an action: each number opens the rows that it counts, beside the question that stays. */
export function Warning({ warned: { message = '', counts = [] } }: { warned: Warned }) {
  const said = counts.length === 0 ? t(message) : counts.map((one) => <Counted key={one.subject} {...one} />)
  return <Alert className="form-alert" type="warning" showIcon title={said} role="alert" />
}

function Counted({ subject, counts }: NonNullable<Warned['counts']>[number]) {
  const { layout } = useSession()
  const [before = '', after = ''] = t(`${subject} still has ${hole}`).split(hole)
  const isOpen = (open: string) => layout?.screens.some(({ path, permitted }) => permitted && path === open.split('?')[0]) ?? false
  return (
    <div>
      {before}
      {counts.map(({ count, words, open }, index) => (
        <span key={open}>
          {index > 0 && ', '}
          {isOpen(open) ? (
            <Link to={open} target="_blank">
              {t(`${count} ${words}`)}
            </Link>
          ) : (
            t(`${count} ${words}`)
          )}
        </span>
      ))}
      {after}
    </div>
  )
}
