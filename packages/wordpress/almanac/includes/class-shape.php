<?php
/**
 * The types of the fields that the plugin prints. A document that has others is refused, so that the last good text stays.
 *
 * @package Almanac
 */

namespace Almanac;

/** A shape is `text`, `number`, fields by name (`?name`: may be missing), or `*`: all values of a list or map. */
final class Shape {
	const TEXTS  = array( '*' => 'text' );
	const CARD   = array(
		'name'   => 'text',
		'text'   => self::TEXTS,
		'images' => self::TEXTS,
	);
	const PLACE  = array(
		'name'     => 'text',
		'summary'  => self::TEXTS,
		'keywords' => self::TEXTS,
		'advice'   => self::TEXTS,
		'images'   => self::TEXTS,
	);
	const SCORES = array( '*' => 'number' );
	const LUCK   = array(
		'?kind' => 'text',
		'label' => 'text',
		'value' => 'text',
	);

	/**
	 * Whether a document of a path, or the one sign of it, can be shown.
	 *
	 * @param string $path     Such as `v1/en/daily/latest.json`.
	 * @param mixed  $document As it came.
	 */
	public static function is_good( string $path, $document ): bool {
		if ( 'v1/index.json' === $path ) {
			$language = array(
				'language' => 'text',
				'name'     => 'text',
			);
			return self::fits( $document, array( 'languages' => array( '*' => $language ) ) );
		}
		if ( 'v1/status.json' === $path ) {
			$language = array(
				'language' => 'text',
				'?nextAt'  => 'text',
				'missing'  => array( '*' => array( 'operation' => 'text' ) ),
			);
			return self::fits( $document, array( 'languages' => array( '*' => $language ) ) );
		}
		if ( 1 === preg_match( '~/words\.json\z~', $path ) ) {
			return self::fits( $document, array( 'direction' => 'text' ) + array_fill_keys( preg_replace( '/^/', '?', Languages::LISTS ), array() ) );
		}
		$family = $document['reading']['family'] ?? null;
		$shape  = is_string( $family ) ? ( self::readings()[ $family ] ?? null ) : null;
		$common = array(
			'operation' => 'text',
			'period'    => 'text',
			'?sign'     => 'text',
			'?sign1'    => 'text',
			'?sign2'    => 'text',
		);
		$timed  = array(
			'?validUntil' => 'text',
			'?nextAt'     => 'text',
		);
		return null !== $shape && self::fits( $document, $timed + array( 'reading' => $common + $shape ) );
	}

	/** The shape of each family of readings. */
	private static function readings(): array {
		return array(
			'horoscope' => array(
				'sign'     => 'text',
				'sections' => array_fill_keys( Sections::HOROSCOPE, self::TEXTS ),
				'luck'     => array( '*' => self::LUCK ),
				'scores'   => self::SCORES,
			),
			'pair'      => array(
				'sign1'  => 'text',
				'sign2'  => 'text',
				'scores' => self::SCORES,
			) + array_fill_keys( Sections::PAIR, self::TEXTS ),
			'tarot'     => array(
				'name'         => 'text',
				'?orientation' => 'text',
				'images'       => self::TEXTS,
			) + array_fill_keys( Sections::TAROT, self::TEXTS ),
			'cards'     => array( 'cards' => array( '*' => self::CARD ) ),
			'spread'    => array_fill_keys( array( 'past', 'present', 'future' ), self::PLACE ),
			'triangle'  => array_fill_keys( array( 'you', 'firstLove', 'secondLove' ), self::CARD ),
			'wisdom'    => array_fill_keys( array( 'yin', 'yang' ), self::CARD ),
		);
	}

	/**
	 * Whether a value has a shape.
	 *
	 * @param mixed        $value Of the document.
	 * @param string|array $shape As above.
	 */
	private static function fits( $value, $shape ): bool {
		if ( 'text' === $shape ) {
			return is_string( $value );
		}
		if ( 'number' === $shape ) {
			return is_int( $value ) || is_float( $value );
		}
		if ( ! is_array( $value ) ) {
			return false;
		}
		foreach ( $shape as $field => $inner ) {
			$name   = ltrim( $field, '?' );
			$values = '*' === $field ? $value : array( $value[ $name ] ?? null );
			if ( $name !== $field && ! array_key_exists( $name, $value ) ) {
				continue;
			}
			foreach ( $values as $one ) {
				if ( ! self::fits( $one, $inner ) ) {
					return false;
				}
			}
		}
		return true;
	}
}
