import { expect, test } from 'vitest';
import { ownersSettingNames, secretNames, settingNames } from './config.ts';
import { settingTopics } from './setting-topics.ts';

const describedSettings = Object.values(settingTopics).flatMap((topic) => Object.keys(topic));

test('describes every setting exactly once', () => {
  const allNames = [...settingNames].filter((name) => !name.endsWith('_FILE'));
  expect(describedSettings.toSorted()).toEqual(allNames.toSorted());
});

test('says for exactly the owner’s settings that the panel can set them', () => {
  const rows = Object.values(settingTopics).flatMap((topic) => Object.entries(topic));
  const panelRows = rows.filter(([, { fallback }]) => fallback.startsWith('set in the panel, else '));
  expect(panelRows.map(([name]) => name).toSorted()).toEqual([...ownersSettingNames].toSorted());
});

/** After a change of the table, update the page with `npx vitest run server/setting-topics.test.ts -u`. */
test('docs/settings.md matches the table of settings', async () => {
  const topics = Object.entries(settingTopics).map(([topic, settings]) =>
    [
      `## ${topic}`,
      '',
      '| Name | Default | Meaning |',
      '|---|---|---|',
      ...Object.entries(settings).map(([name, { fallback, meaning }]) => `| ${name} | ${fallback} | ${meaning} |`),
    ].join('\n'),
  );
  const page = [
    '# Settings',
    [
      'Settings come from the environment; a `.env` file is read as well. All are checked at start, and every mistake is named',
      'at once. `npm run doctor` checks them together with every outside part.',
    ].join('\n'),
    [
      'The owner can also choose the settings with the default “set in the panel” in the admin panel, without a restart. A',
      'variable that is set here wins, and the panel then shows its value and its name.',
    ].join('\n'),
    ...topics,
    '## Secrets from files',
    `Each of these may come from a file: set NAME_FILE to its path. A line break at its end is ignored.\n\n${secretNames.join(', ')}`,
  ];
  await expect(`${page.join('\n\n')}\n`).toMatchFileSnapshot('../docs/settings.md');
});
