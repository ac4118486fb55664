import { Button } from 'antd'
import { CheckCircleOutlined, ExclamationCircleOutlined } from '@ant-design/icons'
import type { SettingItem } from '@outpost/contract/settings'
import { t } from '../../session/labels.ts'
import { formatTime } from '../../view/formats.ts'
import type { SaveState } from './useSettings.ts'

interface SaveBarProps {
  changed: readonly SettingItem[]
  state: SaveState
  isOnline: boolean
  onDiscard: () => void
}

/** Says at every moment what is changed, saved or failed; while something is changed it stays in sight. */
export function SaveBar({ changed, state, isOnline, onDiscard }: SaveBarProps) {
  const isDirty = changed.length > 0
  const kind = state.kind === 'failed' ? 'failed' : isDirty ? 'changed' : state.kind
  return (
    <footer className="set-bar" data-kind={kind}>
      <p role="status">
        {kind === 'failed' ? (
          <>
            <ExclamationCircleOutlined aria-hidden /> {t('Not saved')}: {state.kind === 'failed' ? state.message : ''}
          </>
        ) : null}
        {kind === 'changed'
          ? `${changed.length} ${t(changed.length === 1 ? 'setting changed, not saved yet' : 'settings changed, not saved yet')}: ${changed.map(({ label }) => t(label)).join(', ')}`
          : null}
        {kind === 'saved' && state.kind === 'saved' ? (
          <>
            <CheckCircleOutlined aria-hidden /> {t('Saved at')} {formatTime(state.at)}
          </>
        ) : null}
        {kind === 'none' ? t('Everything is saved.') : null}
        {isOnline ? null : ` ${t('Saving needs a connection.')}`}
      </p>
      <div className="set-bar-deeds">
        <Button onClick={onDiscard} disabled={!isDirty}>
          {t('Discard')}
        </Button>
        <Button
          type="primary"
          htmlType="submit"
          disabled={!isDirty || !isOnline}
          loading={state.kind === 'saving'}
          aria-keyshortcuts="Control+S"
          title="Ctrl+S"
        >
          {t('Save changes')}
        </Button>
      </div>
    </footer>
  )
}
