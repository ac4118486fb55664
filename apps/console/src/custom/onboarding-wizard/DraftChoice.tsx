import { Button, Popconfirm } from 'antd'
import { toast } from '../../feedback/toast.ts'
import { t } from '../../session/labels.ts'
import { formatDateTime, formatRelative } from '../../view/formats.ts'
import { dropDraft, type Draft } from './draft.ts'
import { steps } from './steps.ts'

interface ChoiceProps {
  drafts: readonly Draft[]
  onChoose: (draft: Draft) => void
  onNew: () => void
  onDropped: () => void
}

/** Unfinished onboardings of this person, from whatever device. */
export function DraftChoice({ drafts, onChoose, onNew, onDropped }: ChoiceProps) {
  async function drop(draft: Draft): Promise<void> {
    try {
      await dropDraft(draft.Id, { atServer: true })
      onDropped()
    } catch (error) {
      toast.danger({ title: error instanceof Error ? error.message : t('The draft could not be deleted.') })
    }
  }
  return (
    <section className="ow-card">
      <div className="ow-choice-head">
        <h2>{t('Continue where you left off')}</h2>
        <Button type="primary" onClick={onNew}>
          {t('Start a new one')}
        </Button>
      </div>
      <ul className="ow-drafts">
        {drafts.map((draft) => {
          const { firstName, lastName } = draft.data.person ?? {}
          const name = [firstName, lastName].filter(Boolean).join(' ') || t('No name yet')
          return (
            <li key={draft.Id}>
              <div>
                <strong>{name}</strong>
                <p>
                  {t('Step')} {draft.step + 1} {t('of')} {steps.length}: {t(steps[draft.step]?.title ?? '')}
                  {draft.dateModified && (
                    <time dateTime={draft.dateModified} title={formatDateTime(draft.dateModified)}>
                      {' '}
                      · {formatRelative(draft.dateModified)}
                    </time>
                  )}
                </p>
              </div>
              <span>
                <Button onClick={() => onChoose(draft)} aria-label={`${t('Continue')} ${name}`}>
                  {t('Continue')}
                </Button>
                <Popconfirm
                  title={t('Delete this draft?')}
                  okText={t('Delete')}
                  cancelText={t('Keep it')}
                  onConfirm={() => void drop(draft)}
                >
                  <Button danger type="text" aria-label={`${t('Delete the draft of')} ${name}`}>
                    {t('Delete')}
                  </Button>
                </Popconfirm>
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
