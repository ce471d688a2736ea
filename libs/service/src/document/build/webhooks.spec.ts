import 'reflect-metadata';

import { DateTime, Integer, Optional, Text } from '@items/fields';
import { Controller, Get } from '@nestjs/common';

import { openApiDocument } from './build-document.js';
import { eventWebhooks } from '../description/event-webhooks.js';
import { Operation } from '../description/operation.js';

class BookDto {
  @Text({ min: 1, max: 200, example: 'Emma' })
  title!: string;

  @Optional()
  @Text({ min: 1, max: 200, example: 'Jane Austen' })
  author!: string | null;
}

const books = { name: 'books', singular: 'book', dto: BookDto, immutable: false };
const kinds = ['book.created', 'book.updated', 'book.deleted'];
const examples = { id: '019a9f59-d380-7000-9a17-3c5e2b7d8f40', timestamp: '2026-11-20T10:00:00.000Z', apiVersion: '1' };
const description = { tag: 'Feed', summary: 'The feed', ending: 'plain' } as const;
const info = { title: 'Books', version: '1.0.0' };

function documentWith(sent: Partial<ReturnType<typeof eventWebhooks>>): ReturnType<typeof openApiDocument> {
  @Controller('feed')
  class FeedController {
    @Get()
    @Operation({ ...description, ...sent })
    feed(): object {
      return {};
    }
  }
  return openApiDocument([FeedController], { info });
}

const payloadOf = (document: ReturnType<typeof openApiDocument>, kind: string): unknown =>
  document.webhooks?.[kind]?.post.requestBody?.content['application/json']?.examples['example'];

describe('eventWebhooks', () => {
  it('gives the document a webhook for each kind, with an example of its payload', () => {
    const document = documentWith(eventWebhooks([{ collection: books, kinds }], examples));
    expect(Object.keys(document.webhooks ?? {})).toEqual(kinds);
    expect(document.webhooks?.['book.created']?.post).toMatchObject({
      operationId: 'onBookCreated',
      tags: ['Feed'],
      summary: 'A book was created',
    });
    expect(payloadOf(document, 'book.updated')).toMatchObject({
      value: {
        ...{ id: examples.id, type: 'book.updated', timestamp: examples.timestamp, api_version: '1' },
        data: {
          object: { title: 'Emma', author: 'Jane Austen', updated_at: examples.timestamp },
          previous: { author: null, updated_at: '2026-11-20T09:30:00.000Z' },
        },
      },
    });
    expect(payloadOf(document, 'book.deleted')).not.toHaveProperty('value.data.previous');
    expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(['Book', 'BookChange']));
  });

  it('makes a former value if no field has an obvious one', () => {
    class PlainDto {
      @Text({ min: 1, max: 200, example: 'Emma' })
      title!: string;
    }
    const collection = { ...books, dto: PlainDto };
    const document = documentWith(eventWebhooks([{ collection, kinds }], examples));
    expect(payloadOf(document, 'book.updated')).toHaveProperty('value.data.previous.title', 'Former Emma');
    class CountedDto {
      @Integer({ min: 0, max: 9, example: 0 })
      pages!: number;
    }
    const counted = documentWith(eventWebhooks([{ collection: { ...books, dto: CountedDto }, kinds }], examples));
    expect(payloadOf(counted, 'book.updated')).toHaveProperty('value.data.previous.pages', 1);
    class DatedDto {
      @DateTime()
      due_at!: string;
    }
    const dated = documentWith(eventWebhooks([{ collection: { ...books, dto: DatedDto }, kinds }], examples));
    expect(payloadOf(dated, 'book.updated')).toHaveProperty('value.data.previous.due_at', '2026-01-01T00:00:00.000Z');
  });

  it('omits fields that events do not contain', () => {
    const collection = { ...books, events: { subject: 'book', fields: ['id', 'title'] } };
    const document = documentWith(eventWebhooks([{ collection, kinds }], examples));
    expect(document.components.schemas['BookInEvent']?.['required']).toEqual(['id', 'title']);
    expect(payloadOf(document, 'book.created')).toMatchObject({ value: { data: { object: { title: 'Emma' } } } });
    expect(payloadOf(document, 'book.created')).not.toHaveProperty('value.data.object.author');
  });

  it('uses the given changes', () => {
    const changes = { 'book.updated': { after: { title: 'Emma' }, before: { title: 'Ema' } } };
    const document = documentWith(eventWebhooks([{ collection: books, kinds }], { ...examples, changes }));
    expect(payloadOf(document, 'book.updated')).toHaveProperty('value.data.previous.title', 'Ema');
  });

  it('is optional: a document without webhooks has no section for them', () => {
    expect(documentWith({})).not.toHaveProperty('webhooks');
  });
});
