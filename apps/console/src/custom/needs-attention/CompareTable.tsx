import { Button, Radio } from 'antd'
import { useState } from 'react'
import type { Attention } from '../../offline/store/shapes.ts'
import { t } from '../../session/labels.ts'
import { differencesOf, labelOf, textOf } from './texts.ts'

/** My values beside the server's. */
export function CompareTable({ attention }: { attention: Attention }) {
  const rows = differencesOf(attention)
  if (rows.length === 0) return null
  const hasTheirs = attention.theirs !== null
  return (
    <table className="na-table">
      <thead>
        <tr>
          <th scope="col">{t('Field')}</th>
          <th scope="col">{t('Yours')}</th>
          {hasTheirs && <th scope="col">{t('At the server')}</th>}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ field, mine, theirs }) => (
          <tr key={field}>
            <th scope="row">{t(labelOf(attention, field))}</th>
            <td>{textOf(attention, field, mine)}</td>
            {hasTheirs && <td>{textOf(attention, field, theirs)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface ChoiceProps {
  attention: Attention
  isBusy: boolean
  onDecide: (mine: string[]) => void
}

/** Three values of each field that both sides changed; a person takes one of them. */
export function ChoiceTable({ attention, isBusy, onDecide }: ChoiceProps) {
  const [mine, setMine] = useState<ReadonlySet<string>>(new Set())
  const choose = (field: string, isMine: boolean) =>
    setMine((before) => {
      const next = new Set(before)
      if (isMine) next.add(field)
      else next.delete(field)
      return next
    })
  return (
    <>
      <div className="na-choices">
        {attention.conflicts.map(({ field, base, mine: my, theirs }) => (
          <fieldset key={field}>
            <legend>
              {t(labelOf(attention, field))}{' '}
              <span>
                {t('was')} {textOf(attention, field, base)}
              </span>
            </legend>
            <Radio.Group
              value={mine.has(field)}
              onChange={(event) => choose(field, event.target.value === true)}
              aria-label={t(labelOf(attention, field))}
            >
              <Radio value={false}>
                {t('Office')}: {textOf(attention, field, theirs)}
              </Radio>
              <Radio value>
                {t('Mine')}: {textOf(attention, field, my)}
              </Radio>
            </Radio.Group>
          </fieldset>
        ))}
      </div>
      <div className="na-buttons">
        <Button type="primary" loading={isBusy} onClick={() => onDecide([...mine])}>
          {mine.size > 0 ? t('Send my values') : t('Keep the office\u2019s values')}
        </Button>
      </div>
    </>
  )
}
