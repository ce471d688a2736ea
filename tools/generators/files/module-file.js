/** Where the collection is found, and who may do what. @param {import('../plan/plan.js').Plan} plan */
export function moduleFile({ names, owned }) {
  const { type, types, variable, plural, singular, pluralWords } = names;
  const controller = owned ? 'ownedCollectionController' : 'collectionController';
  const file = owned ? 'owned-collection-controller' : 'collection-controller';
  const imports = [
    ...(owned ? [`import { OwnersModule } from '../auth/owners.module.js';`] : []),
    `import { ${controller} } from '../collections/${file}.js';`,
    `import { CollectionsModule } from '../collections/collections.module.js';`,
    `import { ${variable}Collection } from './${singular}.collection.js';`,
  ];
  imports.sort((a, b) => (pathIn(a) < pathIn(b) ? -1 : 1));
  const access = `{ path: '${owned ? 'users/:user_id/' : ''}${plural}', read: '${plural}:read', write: '${plural}:write' }`;
  const text = `import { ${type}InputDto } from '@items/dtos';
import { Module } from '@nestjs/common';

${imports.join('\n')}

/** ${owned ? `Users' ${pluralWords}` : `The ${pluralWords} collection`}. SPEC §2, §4 */
@Module({
  imports: [${owned ? 'OwnersModule, ' : ''}CollectionsModule.of(${variable}Collection)],
  controllers: [${controller}(${variable}Collection, ${type}InputDto, ${access})],
})
export class ${types}Module {}
`;
  return { path: `apps/api/src/${plural}/${plural}.module.ts`, text };
}

/** @param {string} line */
function pathIn(line) {
  return line.split(`'`)[1] ?? '';
}
