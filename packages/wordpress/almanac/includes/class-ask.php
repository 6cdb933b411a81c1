<?php
/**
 * The request of a block or a shortcode, and the published file that contains the reading.
 *
 * @package Almanac
 */

namespace Almanac;

/** Made of lists and a language's code, and looked up in the manifest: nothing that somebody typed becomes part of an address. */
final class Ask {
	const PAIR = 'love-compatibility';

	/**
	 * Path of the published file.
	 *
	 * @var string
	 */
	public $path;

	/**
	 * Sign within a file of twelve, or nothing.
	 *
	 * @var string
	 */
	public $sign;

	public function __construct( string $path, string $sign = '' ) {
		$this->path = $path;
		$this->sign = $sign;
	}

	/** The published languages with their names. */
	public static function index(): self {
		return new self( 'v1/index.json' );
	}

	/**
	 * Labels around the texts of a language.
	 *
	 * @param string $language Its code.
	 */
	public static function words( string $language ): self {
		return new self( "v1/$language/words.json" );
	}

	/** Every operation that can be asked for, with its name for authors, in the order in which the editor shows them. */
	public static function operations(): array {
		return array(
			'daily-horoscope'               => __( 'Daily horoscope', 'almanac' ),
			'weekly-horoscope'              => __( 'Weekly horoscope', 'almanac' ),
			'monthly-horoscope'             => __( 'Monthly horoscope', 'almanac' ),
			'yearly-horoscope'              => __( 'Yearly horoscope', 'almanac' ),
			'daily-tarot'                   => __( 'Daily tarot', 'almanac' ),
			'daily-tarot-legacy'            => __( 'Daily tarot, classic', 'almanac' ),
			'divine-angel-reading'          => __( 'Divine angel', 'almanac' ),
			'power-life-reading'            => __( 'Power of life', 'almanac' ),
			'egyptian-prediction'           => __( 'Egyptian prediction', 'almanac' ),
			'ex-flame-reading'              => __( 'Former love', 'almanac' ),
			'in-depth-love-reading'         => __( 'Love in depth', 'almanac' ),
			'past-present-future-reading'   => __( 'Past, present, future', 'almanac' ),
			'love-triangle-reading'         => __( 'Love triangle', 'almanac' ),
			'wisdom-reading'                => __( 'Wisdom', 'almanac' ),
			'dream-come-true-reading'       => __( 'Dream come true', 'almanac' ),
			'erotic-love-reading'           => __( 'Erotic love', 'almanac' ),
			'past-lives-connection-reading' => __( 'Past lives', 'almanac' ),
			self::PAIR                      => __( 'Love compatibility', 'almanac' ),
		);
	}

	/** The twelve, with their names for authors. */
	public static function signs(): array {
		return array(
			'aries'       => __( 'Aries', 'almanac' ),
			'taurus'      => __( 'Taurus', 'almanac' ),
			'gemini'      => __( 'Gemini', 'almanac' ),
			'cancer'      => __( 'Cancer', 'almanac' ),
			'leo'         => __( 'Leo', 'almanac' ),
			'virgo'       => __( 'Virgo', 'almanac' ),
			'libra'       => __( 'Libra', 'almanac' ),
			'scorpio'     => __( 'Scorpio', 'almanac' ),
			'sagittarius' => __( 'Sagittarius', 'almanac' ),
			'capricorn'   => __( 'Capricorn', 'almanac' ),
			'aquarius'    => __( 'Aquarius', 'almanac' ),
			'pisces'      => __( 'Pisces', 'almanac' ),
		);
	}

	/**
	 * The request in the attributes of a block or shortcode, or an error message for its author.
	 *
	 * @param array  $attributes `operation`, or `period` for a horoscope; `sign`, or `sign1` and `sign2`.
	 * @param string $language   Of the text.
	 * @return self|string
	 */
	public static function of( array $attributes, string $language ) {
		$operation = $attributes['operation'];
		if ( '' !== $attributes['period'] ) {
			$operation = "{$attributes['period']}-horoscope";
		}
		if ( ! isset( self::operations()[ $operation ] ) ) {
			/* translators: 1: what was asked for, 2: a list of words */
			return sprintf( __( 'There is no operation "%1$s": take one of %2$s.', 'almanac' ), $operation, implode( ', ', array_keys( self::operations() ) ) );
		}
		$period = strstr( $operation, '-horoscope', true );
		$signs  = false === $period ? array() : array( 'sign' );
		foreach ( self::PAIR === $operation ? array( 'sign1', 'sign2' ) : $signs as $name ) {
			if ( ! isset( self::signs()[ $attributes[ $name ] ] ) ) {
				/* translators: 1: the attribute's name, 2: a list of words */
				return sprintf( __( '"%1$s" has to be one of %2$s.', 'almanac' ), $name, implode( ', ', array_keys( self::signs() ) ) );
			}
		}
		if ( self::PAIR === $operation ) {
			return new self( "v1/$language/$operation/{$attributes['sign1']}-{$attributes['sign2']}.json" );
		}
		return false === $period
			? new self( "v1/$language/$operation/latest.json" )
			: new self( "v1/$language/$period/latest.json", $attributes['sign'] );
	}
}
