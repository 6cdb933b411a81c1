<?php
/**
 * A reading of any kind as a list of sections, in the order in which they are read. Nothing is escaped here: class-markup.php
 * does that with all of it.
 *
 * @package Almanac
 */

namespace Almanac;

/** A section has a `heading` (or ''), `paragraphs`, `facts` (name and value) and `pictures`. */
final class Sections {
	/**
	 * All that a reading says.
	 *
	 * @param array    $reading As it is published.
	 * @param array    $words   In its language.
	 * @param string[] $wanted  Of a horoscope or a pair, the names of the sections; none: all.
	 */
	public static function of( array $reading, array $words, array $wanted ): array {
		switch ( $reading['family'] ?? '' ) {
			case 'horoscope':
				return self::horoscope( $reading, $words, $wanted );
			case 'pair':
				return self::named( $reading, $words['pair'], $wanted, self::scores( $reading, $words['pairScores'], $words, $wanted ) );
			case 'tarot':
				return self::tarot( $reading, $words );
			case 'cards':
				return array_map( array( self::class, 'card' ), self::lists( $reading, 'cards' ) );
			case 'spread':
				return self::places( $reading, $words, 'spread', array( 'past', 'present', 'future' ) );
			case 'triangle':
				return self::places( $reading, $words, 'triangle', array( 'you', 'firstLove', 'secondLove' ) );
			case 'wisdom':
				return self::places( $reading, $words, 'wisdom', array( 'yin', 'yang' ) );
		}
		return array();
	}

	private static function horoscope( array $reading, array $words, array $wanted ): array {
		$facts = array();
		foreach ( self::lists( $reading, 'luck' ) as $line ) {
			$name    = $words['luckKinds'][ $line['kind'] ?? '' ] ?? self::text( $line, 'label' );
			$facts[] = array( $name, self::text( $line, 'value' ) );
		}
		$names = array_merge( $words['sections'], array( 'luck' => $words['luck'] ) );
		$last  = self::scores( $reading, $names, $words, $wanted );
		if ( $facts && self::is_wanted( 'luck', $wanted ) ) {
			array_unshift( $last, self::section( $words['bringsLuck'], array(), $facts ) );
		}
		return self::named( self::lists( $reading, 'sections' ), $words['sections'], $wanted, $last );
	}

	private static function tarot( array $reading, array $words ): array {
		$orientation = $words['tarot'][ $reading['orientation'] ?? '' ] ?? '';
		$first       = self::card( $reading );
		if ( '' !== $orientation ) {
			$first['heading'] .= " ($orientation)";
		}
		$names = array_intersect_key( $words['tarot'], array_flip( array( 'career', 'love', 'finance' ) ) );
		return array_merge( array( $first ), self::named( $reading, $names, array(), array() ) );
	}

	/** Cards that lie in places: the place and the card's name, its text, its advice. */
	private static function places( array $reading, array $words, string $family, array $places ): array {
		$sections = array();
		foreach ( $places as $place ) {
			$card           = self::lists( $reading, $place );
			$one            = self::card( $card );
			$one['heading'] = "{$words[ $family ][ $place ]}: {$one['heading']}";
			foreach ( array( 'keywords', 'advice' ) as $name ) {
				foreach ( self::paragraphs( $card, $name ) as $line ) {
					$one['facts'][] = array( $words['spread'][ $name ], $line );
				}
			}
			$sections[] = $one;
		}
		return $sections;
	}

	private static function card( array $card ): array {
		$paragraphs = array_merge( self::paragraphs( $card, 'text' ), self::paragraphs( $card, 'summary' ) );
		$section    = self::section( self::text( $card, 'name' ), $paragraphs, array() );
		foreach ( self::paragraphs( $card, 'images' ) as $address ) {
			if ( Settings::is_secure( $address ) ) {
				$section['pictures'][] = $address;
			}
		}
		return $section;
	}

	private static function scores( array $reading, array $names, array $words, array $wanted ): array {
		$facts = array();
		foreach ( self::is_wanted( 'scores', $wanted ) ? $names : array() as $name => $word ) {
			$score = $reading['scores'][ $name ] ?? null;
			if ( is_int( $score ) || is_float( $score ) ) {
				$facts[] = array( $word, "$score %" );
			}
		}
		return $facts ? array( self::section( $words['scores'], array(), $facts ) ) : array();
	}

	private static function named( array $texts, array $names, array $wanted, array $last ): array {
		$sections = array();
		foreach ( $names as $name => $word ) {
			$paragraphs = self::is_wanted( $name, $wanted ) ? self::paragraphs( $texts, $name ) : array();
			if ( $paragraphs ) {
				$sections[] = self::section( $word, $paragraphs, array() );
			}
		}
		return array_merge( $sections, $last );
	}

	private static function section( string $heading, array $paragraphs, array $facts ): array {
		return array(
			'heading'    => $heading,
			'paragraphs' => $paragraphs,
			'facts'      => $facts,
			'pictures'   => array(),
		);
	}

	private static function is_wanted( string $name, array $wanted ): bool {
		return ! $wanted || in_array( $name, $wanted, true );
	}

	private static function lists( array $from, string $name ): array {
		$found = $from[ $name ] ?? null;
		return is_array( $found ) ? $found : array();
	}

	private static function text( array $from, string $name ): string {
		$found = $from[ $name ] ?? null;
		return is_string( $found ) ? $found : '';
	}

	private static function paragraphs( array $from, string $name ): array {
		return array_filter( self::lists( $from, $name ), 'is_string' );
	}
}
